import type { Provider } from '../../scripts/prepare-fixtures.js'

/** A kind of database that the benchmark runs on. */
export interface DataSet {
  readonly provider: Provider
  /**
   * A copy of the data set, for one run.
   * @param tables the SQL that makes the tables
   * @param key changes where the tables or the rows do; what was filled for another key is not used
   */
  open(tables: string, key: string): Promise<OpenDataSet>
}

export interface OpenDataSet {
  readonly url: string
  close(): Promise<void>
}
