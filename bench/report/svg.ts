import { pairedRatio } from '../measure.js'
import { OPERATIONS } from '../operations.js'
import type { ContenderName } from '../run/samples.js'
import type { Result } from './result.js'
import { find } from './table.js'

const BARS: readonly { readonly contender: ContenderName; readonly label: string; readonly color: string }[] = [
  { contender: 'driver', label: 'bare driver', color: '#b8b8b8' },
  { contender: 'prisma', label: 'bare Prisma', color: '#7d8ca3' },
  { contender: 'by hand', label: 'by hand', color: '#4c9f70' },
  { contender: 'zenstack', label: 'ZenStack v3', color: '#c8553d' },
]
const LEFT_MARGIN = 270
const WIDTH = 860
const BAR = 9
const GROUP = BARS.length * BAR + 12
const TOP_MARGIN = 64
/** Range of the logarithmic scale, as multiples of the time of the generated code. */
const RANGE = { min: 1 / 16, max: 16 }

/** Renders a chart for one database: the in-process time of each contender relative to the generated code. */
export function chart({ provider, inProcess }: Result): string {
  const operations = OPERATIONS.filter(({ name }) => inProcess[name])
  const height = TOP_MARGIN + operations.length * GROUP + 24
  const ticks = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16]
  const groups = operations.map(({ name, label }, index) => {
    const top = TOP_MARGIN + index * GROUP
    const samples = inProcess[name] ?? []
    const emitted = find(samples, 'emitted')
    const bars = BARS.map(({ contender, color, label: name }, at) => {
      const sample = find(samples, contender)
      if (!emitted || !sample) return ''
      const { median } = pairedRatio(sample.wall, emitted.wall)
      const end = x(median)
      const y = top + at * BAR
      const title = `<title>${name}: ${median.toFixed(2)}</title>`
      return `<rect x="${Math.min(end, x(1))}" y="${y}" width="${Math.abs(end - x(1)).toFixed(1)}" height="${BAR - 1}" fill="${color}">${title}</rect>`
    })
    return `<text x="${LEFT_MARGIN - 10}" y="${top + 22}" text-anchor="end">${escape(label)}</text>${bars.join('')}`
  })
  const grid = ticks.map((tick) => {
    const label = tick < 1 ? `1/${1 / tick}` : `${tick}`
    const line = `<line x1="${x(tick)}" x2="${x(tick)}" y1="${TOP_MARGIN - 8}" y2="${height - 20}" stroke="${tick === 1 ? '#333' : '#ddd'}"/>`
    return `${line}<text x="${x(tick)}" y="${height - 6}" text-anchor="middle">${label}</text>`
  })
  const legend = BARS.map(({ label, color }, index) => {
    const left = LEFT_MARGIN + index * 130
    return `<rect x="${left}" y="34" width="10" height="10" fill="${color}"/><text x="${left + 15}" y="43">${label}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="10" y="20" font-size="14">${provider}: time as a multiple of emitted code (1), in process. Right of it is slower.</text>
${[...legend, ...grid, ...groups].join('\n')}
</svg>
`
}

function x(ratio: number): number {
  const { min, max } = RANGE
  const at = Math.log(Math.min(max, Math.max(min, ratio)) / min) / Math.log(max / min)
  return Math.round(LEFT_MARGIN + at * (WIDTH - LEFT_MARGIN - 20))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
