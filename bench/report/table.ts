import { pairedRatio, type Spread, spread } from '../measure.js'
import { OPERATIONS } from '../operations.js'
import type { ContenderName, Samples } from '../run/samples.js'
import type { Start } from '../run/measure-starts.js'
import type { ByOperation, Result } from './result.js'

const NAMES = { sqlite: 'SQLite', postgresql: 'Postgres', mysql: 'MySQL' }

/** Formats the report of a run in Markdown. All numbers are medians of ratios of paired samples within the run. */
export function formatReport(
  results: readonly Result[],
  worker: { readonly plain: number; readonly gzip: number },
): string {
  return [
    ...results.flatMap(({ provider, inProcess, overHttp, starts }) => [
      `## ${NAMES[provider]}, in process, one client`,
      ...ratios(inProcess, ['by hand', 'zenstack', 'prisma', 'driver']),
      ...(Object.keys(overHttp).length > 0
        ? [`## ${NAMES[provider]}, over loopback HTTP, 32 connections`, ...ratios(overHttp, ['by hand', 'zenstack'])]
        : []),
      ...(starts.length > 0 ? [`## ${NAMES[provider]}, start`, startTable(starts)] : []),
    ]),
    `The runtime and the Hono adapter bundled for a worker, with what they import: ${kilobytes(worker.plain)} minified, ${kilobytes(worker.gzip)} gzipped.`,
  ].join('\n\n')
}

function ratios(operations: ByOperation, others: readonly ContenderName[]): string[] {
  return [
    'Time by the clock; in brackets the quartiles.',
    ratioTable(operations, others, 'wall'),
    'Processor time of the process that answers.',
    ratioTable(operations, others, 'cpu'),
  ]
}

/**
 * Formats ratios to each contender, with the generated code in the numerator. For ZenStack it is in the denominator, so that higher is
 * better. The ratio of ZenStack to the handwritten code is the upper limit.
 */
function ratioTable(operations: ByOperation, others: readonly ContenderName[], kind: 'wall' | 'cpu'): string {
  const titles = others.map((name) => (name === 'zenstack' ? 'ZenStack / emitted' : `emitted / ${name}`))
  titles.push('ZenStack / by hand')
  const rows = OPERATIONS.flatMap(({ name, label }) => {
    const samples = operations[name]
    const emitted = samples && find(samples, 'emitted')
    if (!emitted) return []
    const cells = others.map((other) => {
      const sample = find(samples, other)
      if (!sample) return ''
      return cell(
        other === 'zenstack' ? pairedRatio(sample[kind], emitted[kind]) : pairedRatio(emitted[kind], sample[kind]),
      )
    })
    const [byHand, zenstack] = [find(samples, 'by hand'), find(samples, 'zenstack')]
    cells.push(byHand && zenstack ? cell(pairedRatio(zenstack[kind], byHand[kind])) : '')
    return [row([label, ...cells, `${Math.round(spread(emitted[kind]).median)} µs`])]
  })
  return [row(['', ...titles, 'emitted']), row([':--', ...titles.map(() => '--:'), '--:']), ...rows].join('\n')
}

/** Finds the samples of a contender. */
export function find(samples: readonly Samples[], contender: ContenderName): Samples | undefined {
  return samples.find((one) => one.contender === contender)
}

function startTable(starts: readonly Start[]): string {
  return [
    row(['', 'import to first answer', 'of it processor', 'memory then']),
    row([':--', '--:', '--:', '--:']),
    ...starts.map(({ contender, firstResponseMs, cpu, rss }) =>
      row([
        contender,
        `${Math.round(spread(firstResponseMs).median)} ms`,
        `${Math.round(spread(cpu).median)} ms`,
        `${Math.round(spread(rss).median / 1024 / 1024)} MB`,
      ]),
    ),
  ].join('\n')
}

function cell({ q1, median, q3 }: Spread): string {
  return `${median.toFixed(2)} (${q1.toFixed(2)}–${q3.toFixed(2)})`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}
