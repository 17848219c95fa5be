/** Where a command writes to. */
export interface CliOutput {
  out(text: string): void
  error(text: string): void
}

/** How a command ends: 0 all is well, 1 the routes differ, 2 the request or the schema is broken. */
export type ExitCode = 0 | 1 | 2
