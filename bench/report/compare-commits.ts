import { pairedRatio, type Spread, spread } from '../measure.js'
import type { Samples } from '../run/samples.js'

/** The samples of both versions, by operation. */
export type CommitSamples = Record<string, readonly Omit<Samples<'before' | 'now'>, 'bytes'>[]>

/** Formats the time of each operation relative to the version before as a Markdown table. The slowest operations come first. */
export function commitTable(samples: CommitSamples): string {
  const rows = Object.entries(samples).flatMap(([name, versions]) => {
    const [before, now] = (['before', 'now'] as const).map((one) => versions.find(({ contender }) => contender === one))
    if (!before || !now) return []
    const [cpu, wall] = [pairedRatio(now.cpu, before.cpu), pairedRatio(now.wall, before.wall)]
    return [{ cpu, line: `| ${name} | ${cell(cpu)} | ${cell(wall)} | ${Math.round(spread(before.cpu).median)} µs |` }]
  })
  return [
    '| now / before | processor time | time by the clock | before, processor time |',
    '|:--|--:|--:|--:|',
    ...rows.sort((a, b) => b.cpu.median - a.cpu.median).map(({ line }) => line),
  ].join('\n')
}

function cell({ q1, median, q3 }: Spread): string {
  return `${median.toFixed(3)} (${q1.toFixed(3)}–${q3.toFixed(3)})`
}
