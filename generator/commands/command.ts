/** The output streams of a command. */
export interface CliOutput {
  out(text: string): void
  error(text: string): void
}

/** The exit code of a command: 0 for success, 1 if a check failed, 2 if the arguments or the schema are invalid. */
export type ExitCode = 0 | 1 | 2
