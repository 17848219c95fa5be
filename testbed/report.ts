import { cpus, loadavg, release, totalmem } from 'node:os'

/** The result of a check. */
export interface Finding {
  readonly title: string
  /** Description of the check in one or two sentences. */
  readonly description: string
  /** Measured values by name. */
  readonly rows: readonly (readonly [name: string, value: string])[]
  /** Descriptions of failures. */
  readonly failures: readonly string[]
}

/** The versions of the installed servers. */
export interface Environment {
  readonly postgres: string
  readonly pgbouncer: string
}

/** Renders the report as a Markdown page. */
export function formatReport(findings: readonly Finding[], { postgres, pgbouncer }: Environment): string {
  const [cpu] = cpus()
  const failures = findings.flatMap(({ title, failures }) => failures.map((failure) => `${title}: ${failure}`))
  return [
    '# Test results',
    '',
    wrapText(
      'Written by `npm run testbed -- --write`. It starts three PostgreSQL clusters (a primary, a synchronous replica and a delayed ' +
        'replica), PgBouncer, a proxy that can stall the network, and four processes of the demo’s blog. They write to the primary and ' +
        'read from the delayed replica. See [Replicas, failover and retries](../docs/high-availability.md).',
    ),
    '',
    wrapText(
      `On ${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, shared with others (load average ${(loadavg()[2] ?? 0).toFixed(0)});` +
        ` Node ${process.versions.node}, PostgreSQL ${postgres}, ${pgbouncer}.`,
    ),
    '',
    failures.length === 0 ? 'All checks passed.' : 'Failed checks:',
    '',
    ...failures.map((failure) => `- ${failure}`),
    ...(failures.length > 0 ? [''] : []),
    ...findings.flatMap(({ title, description, rows }) => [
      `## ${title}`,
      '',
      wrapText(description),
      '',
      '| | |',
      '|:--|:--|',
      ...rows.map(([name, value]) => `| ${name} | ${value} |`),
      '',
    ]),
  ].join('\n')
}

/** Wraps a paragraph at 140 characters. */
function wrapText(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length + 1 > 140) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
