/** Operations that compute a number from the current one. */
export const ARITHMETIC: ReadonlySet<string> = new Set(['increment', 'decrement', 'multiply', 'divide'])
