import type { Spread } from '../measure.js'
import { document, escape, logarithmic } from './svg.js'

/** Measurements of a request whose cost may grow with a number, such as the depth of a page. */
export interface Series {
  readonly name: string
  readonly title: string
  /** The name of the number. */
  readonly x: string
  readonly unit: string
  readonly lines: readonly Line[]
}

/** The measurements of one contender. */
export interface Line {
  readonly name: string
  readonly points: readonly Point[]
}

export interface Point extends Spread {
  readonly x: number
}

/** The bend of a line. From this point on, the cost grows at least half as fast as the number. */
export interface Bend {
  readonly line: string
  readonly x: number
}

const COLORS = ['#2f6db3', '#4c9f70', '#c8553d', '#c9a227', '#7d5ba6']
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [720, 420, 70, 60, 380]
const GROWTH = 0.5

/** Returns the bend with the smallest number. Returns undefined if no line bends. */
export function firstBend({ lines }: Series): Bend | undefined {
  const bends = lines.flatMap(({ name, points }) => {
    const at = points.findIndex((point, index) => {
      const next = points[index + 1]
      return next !== undefined && Math.log(next.median / point.median) / Math.log(next.x / point.x) >= GROWTH
    })
    const point = points[at]
    return point ? [{ line: name, x: point.x }] : []
  })
  return bends.sort((a, b) => a.x - b.x)[0]
}

/** Renders lines on logarithmic scales, with bars from the first to the third quartile. */
export function lineChart(series: Series, subtitle: string): string {
  const points = series.lines.flatMap((line) => line.points)
  const numbers = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b)
  const [min, max] = [Math.min(...points.map(({ q1 }) => q1)), Math.max(...points.map(({ q3 }) => q3))]
  const bottom = 10 ** Math.floor(Math.log10(min))
  const top = 10 ** Math.ceil(Math.log10(max))
  const x = logarithmic([numbers[0] ?? 1, numbers.at(-1) ?? 1], [LEFT, WIDTH - 30])
  const y = logarithmic([bottom, top], [BOTTOM, TOP])
  const rows: string[] = []
  for (let value = bottom; value <= top * 1.001; value *= 10) {
    const label = Number(value.toPrecision(1))
    rows.push(
      `<line x1="${LEFT}" x2="${WIDTH - 30}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>` +
        `<text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${label} ${series.unit}</text>`,
    )
  }
  const columns = numbers.map(
    (value) => `<text x="${x(value)}" y="${BOTTOM + 18}" text-anchor="middle">${value}</text>`,
  )
  const lines = series.lines.map(({ name, points }, index) => {
    const color = COLORS[index % COLORS.length]
    const path = points.map((point) => `${x(point.x)},${y(point.median)}`).join(' ')
    const bars = points.map(
      (point) =>
        `<line x1="${x(point.x)}" x2="${x(point.x)}" y1="${y(point.q1)}" y2="${y(point.q3)}" stroke="${color}"><title>${point.median}</title></line>`,
    )
    const left = LEFT + index * 160
    return (
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${bars.join('')}` +
      `<rect x="${left}" y="34" width="10" height="10" fill="${color}"/><text x="${left + 15}" y="43">${escape(name)}</text>`
    )
  })
  const axis = `<text x="${(LEFT + WIDTH) / 2}" y="${HEIGHT - 4}" text-anchor="middle">${escape(series.x)}</text>`
  return document(WIDTH, HEIGHT, `${series.title} (${subtitle})`, [...rows, ...columns, axis, ...lines])
}
