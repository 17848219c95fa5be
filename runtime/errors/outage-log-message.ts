import type { DriverError } from './driver-error.js'

/** Summarizes an outage in one line. Omits the statement and its values, which drivers and Prisma include in their messages. */
export function outageLogMessage({ message, kind, codes }: DriverError): string {
  // Drivers append the statement to their message, Prisma puts an excerpt of the source before it, and adapters repeat the kind.
  const [words = ''] = message.split(/^\s*sql:/m)
  // An indented line continues the previous one.
  const lines = words.replaceAll(/\n[ \t]+(?=\S)/g, ' ').split('\n')
  const line = lines.findLast((text) => text.trim() !== '' && text !== kind)
  return (line ?? codes.at(-1) ?? 'no reason given').replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)
}
