import { OPERATIONS } from '../operations.js'
import type { ContenderName, Measured } from '../run/samples.js'
import { document, escape, logarithmic } from './svg.js'

const BARS: readonly { readonly contender: ContenderName; readonly label: string; readonly color: string }[] = [
  { contender: 'driver', label: 'bare driver', color: '#b8b8b8' },
  { contender: 'prisma', label: 'bare Prisma', color: '#7d8ca3' },
  { contender: 'by hand', label: 'by hand', color: '#4c9f70' },
  { contender: 'trpc', label: 'tRPC', color: '#c9a227' },
  { contender: 'zenstack', label: 'ZenStack v3', color: '#c8553d' },
]
const LEFT_MARGIN = 270
const WIDTH = 860
const BAR = 9
const GROUP = BARS.length * BAR + 12
const TOP_MARGIN = 64
/** The position of a multiple of the time of the generated code. */
const x = logarithmic([1 / 64, 64], [LEFT_MARGIN, WIDTH - 20])

/** Renders a chart for one database: the in-process time of each contender relative to the generated code. */
export function chart(provider: string, inProcess: Readonly<Record<string, readonly Measured[]>>): string {
  const operations = OPERATIONS.filter(({ name }) => inProcess[name])
  const height = TOP_MARGIN + operations.length * GROUP + 24
  const groups = operations.map(({ name, label }, index) => {
    const top = TOP_MARGIN + index * GROUP
    const bars = BARS.map(({ contender, color }, at) => {
      const ratio = inProcess[name]?.find((one) => one.contender === contender)?.emittedRatio.wall
      if (!ratio) return ''
      const end = x(1 / ratio.median)
      const title = `<title>${name}: ${(1 / ratio.median).toFixed(2)}</title>`
      return `<rect x="${Math.min(end, x(1))}" y="${top + at * BAR}" width="${Math.abs(end - x(1)).toFixed(1)}" height="${BAR - 1}" fill="${color}">${title}</rect>`
    })
    return `<text x="${LEFT_MARGIN - 10}" y="${top + 26}" text-anchor="end">${escape(label)}</text>${bars.join('')}`
  })
  const grid = [1 / 64, 1 / 16, 1 / 4, 1 / 2, 1, 2, 4, 16, 64].map((tick) => {
    const label = tick < 1 ? `1/${1 / tick}` : `${tick}`
    const line = `<line x1="${x(tick)}" x2="${x(tick)}" y1="${TOP_MARGIN - 8}" y2="${height - 20}" stroke="${tick === 1 ? '#333' : '#ddd'}"/>`
    return `${line}<text x="${x(tick)}" y="${height - 6}" text-anchor="middle">${label}</text>`
  })
  const legend = BARS.map(({ label, color }, index) => {
    const left = LEFT_MARGIN + index * 110
    return `<rect x="${left}" y="34" width="10" height="10" fill="${color}"/><text x="${left + 15}" y="43">${label}</text>`
  })
  const title = `${provider}: time as a multiple of the generated code (1), in process. Contenders to the right are slower.`
  return document(WIDTH, height, title, [...legend, ...grid, ...groups])
}
