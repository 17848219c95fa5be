import { describe, expect, it } from 'vitest'

import { pairedRatio, spread, rotateContenders } from '../../bench/measure.js'

describe('benchmark statistics', () => {
  it('spread: returns the quartiles of numbers in any order', () => {
    expect(spread([9, 1, 5])).toEqual({ q1: 3, median: 5, q3: 7 })
    expect(spread([4, 1, 3, 2])).toEqual({ q1: 1.75, median: 2.5, q3: 3.25 })
    expect(spread([7])).toEqual({ q1: 7, median: 7, q3: 7 })
  })

  it('spread: throws for an empty list', () => {
    expect(() => spread([])).toThrow('nothing to measure')
  })

  it('pairedRatio: compares two series round by round', () => {
    expect(pairedRatio([2, 20, 200], [1, 10, 100])).toEqual({ q1: 2, median: 2, q3: 2 })
    expect(() => pairedRatio([1, 2], [1])).toThrow('2 rounds cannot be paired with 1')
  })

  it('rotate: starts each round with another contender', () => {
    expect([0, 1, 2, 3].map((round) => rotateContenders(['a', 'b', 'c'], round).join(''))).toEqual([
      'abc',
      'bca',
      'cab',
      'abc',
    ])
    expect(rotateContenders([], 3)).toEqual([])
  })
})
