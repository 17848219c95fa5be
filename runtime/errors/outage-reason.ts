import type { DriverError } from './driver-error.js'

/**
 * What a driver says of a database that does not answer, in one line: neither the statement, which drivers and Prisma quote, nor its values.
 * @param cause of an outage
 */
export function describeOutage({ message, kind, codes }: DriverError): string {
  // Drivers put the statement behind their words, Prisma its excerpt of the source in front of them; adapters say the kind once more.
  const [words = ''] = message.split(/^\s*sql:/m)
  // A line that is indented goes on with the one before.
  const lines = words.replaceAll(/\n[ \t]+(?=\S)/g, ' ').split('\n')
  const line = lines.findLast((each) => each.trim() !== '' && each !== kind)
  return (line ?? codes.at(-1) ?? 'no reason given').replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)
}
