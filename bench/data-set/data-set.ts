import type { Provider } from '../../scripts/prepare-fixtures.js'

/** A database that the benchmark runs on. */
export interface DataSet {
  readonly provider: Provider
  /**
   * Opens a copy of the data set for one run.
   * @param tables the SQL that creates the tables
   * @param key cache key, which must change with the tables and rows
   */
  open(tables: string, key: string): Promise<OpenDataSet>
}

export interface OpenDataSet {
  readonly url: string
  close(): Promise<void>
}
