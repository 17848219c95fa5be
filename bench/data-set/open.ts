import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type PreparedFixture, ROOT } from '../../scripts/prepare-fixtures.js'
import type { DataSet } from './data-set.js'

/** Opens a database with the benchmark's tables and rows. Refills it if either has changed. */
export function openFilled(dataSet: DataSet, fixture: PreparedFixture): ReturnType<DataSet['open']> {
  const tables = readFileSync(fixture.tables, 'utf8')
  const rows = readFileSync(join(ROOT, 'bench/data-set/rows.ts'), 'utf8')
  return dataSet.open(tables, createHash('sha256').update(tables).update(rows).digest('hex').slice(0, 12))
}
