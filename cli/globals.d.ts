/// <reference types="vite/types/importMeta.d.ts" />

/** The version of package.json, put in at build time. */
declare const __PITWALL_VERSION__: string;
