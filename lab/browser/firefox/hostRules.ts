/**
 * The one address of rules in Chromium's notation: `MAP origin.test 203.0.113.1, MAP *.origin.test 203.0.113.1`.
 * @throws Error in one sentence when they have several
 */
export function addressIn(hostRules: string): string {
  const addresses = new Set(
    hostRules
      .split(',')
      .map((rule) => rule.trim().split(/\s+/))
      .map(([, , address = '']) => address),
  );
  const [address, ...others] = addresses;
  if (address === undefined || address === '' || others.length > 0)
    throw new Error(
      `Firefox maps all hosts to one address, but the rules have ${[...addresses].join(', ')}.`,
    );
  return address;
}
