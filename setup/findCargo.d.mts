/** The path of cargo, null where there is none. */
export declare function findCargo(): string | null;
