/**
 * Checks the value of a numeric option.
 * @throws Error if it is neither a positive integer nor `Infinity`
 */
export function parsePositive(name: string, value: unknown): number {
  if (typeof value === 'number' && (value === Infinity || (Number.isSafeInteger(value) && value > 0))) return value
  // Environment variables are strings, so the message must include the quotes: "but is 100" would be confusing.
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  throw new Error(`${name} must be a positive integer or Infinity, but is ${text}.`)
}

/**
 * Checks the names of options. An unknown name, such as a misspelled option, would otherwise be ignored silently.
 * @throws Error that lists the available names
 */
export function assertAllowedKeys(what: string, input: object, allowed: readonly string[]): void {
  for (const name of Object.keys(input)) {
    if (!allowed.includes(name)) throw new Error(`Unknown ${what} "${name}". Available: ${allowed.join(', ')}.`)
  }
}

/**
 * Checks the option `routes`.
 * @returns the custom routes
 * @throws Error if they have no routes for this API style
 */
export function validateCustomRoutes<S extends string, R extends Readonly<Record<S, unknown>>>(routes: R, style: S): R {
  if (typeof routes[style] === 'function') return routes
  throw new Error('routes must be created with implementRoutes of custom-routes.ts.')
}
