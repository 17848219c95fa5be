import { expect, it } from 'vitest'

import { commitTable } from '../../bench/report/compare-commits.js'

it('commitTable: lists the paired ratio of each operation, slowest first', () => {
  const samples = (before: number[], now: number[]) => [
    { contender: 'before' as const, cpu: before, wall: before },
    { contender: 'now' as const, cpu: now, wall: now.map((each) => each * 2) },
  ]
  const table = commitTable({ get: samples([10, 100], [10, 100]), list: samples([10, 100, 1000], [11, 110, 1100]) })
  expect(table.split('\n').slice(2)).toEqual([
    '| list | 1.100 (1.100–1.100) | 2.200 (2.200–2.200) | 100 µs |',
    '| get | 1.000 (1.000–1.000) | 2.000 (2.000–2.000) | 55 µs |',
  ])
})
