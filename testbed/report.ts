import { cpus, loadavg, release, totalmem } from 'node:os'

/** What was looked at, and what was found. */
export interface Finding {
  readonly title: string
  /** What was done, in a sentence or two. */
  readonly what: string
  /** Measured values, by their names. */
  readonly rows: readonly (readonly [name: string, value: string])[]
  /** What should have been otherwise. */
  readonly faults: readonly string[]
}

/** What of this machine counts. */
export interface Machine {
  readonly postgres: string
  readonly pgbouncer: string
}

/** The report as a page of the documentation. */
export function reportOf(findings: readonly Finding[], { postgres, pgbouncer }: Machine): string {
  const [cpu] = cpus()
  const faults = findings.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`))
  return [
    '# Test bed',
    '',
    wrapped(
      'What `npm run testbed` found when it was run last, with `-- --write`. It starts three PostgreSQL clusters (a primary, a synchronous ' +
        'replica, and one that shows everything late), PgBouncer, a network that can be held up, and four processes of the demo’s blog, ' +
        'which write to the primary and read from the late replica. [In production](production.md) says what to make of it.',
    ),
    '',
    wrapped(
      `On ${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, shared with others (load average ${(loadavg()[2] ?? 0).toFixed(0)});` +
        ` Node ${process.versions.node}, PostgreSQL ${postgres}, ${pgbouncer}.`,
    ),
    '',
    faults.length === 0 ? 'All was as it should be.' : 'Not all was as it should be:',
    '',
    ...faults.map((fault) => `- ${fault}`),
    ...(faults.length > 0 ? [''] : []),
    ...findings.flatMap(({ title, what, rows }) => [
      `## ${title}`,
      '',
      wrapped(what),
      '',
      '| | |',
      '|:--|:--|',
      ...rows.map(([name, value]) => `| ${name} | ${value} |`),
      '',
    ]),
  ].join('\n')
}

/** Breaks a paragraph into lines that an editor shows whole. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length + 1 > 140) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
