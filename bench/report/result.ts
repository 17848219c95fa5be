import type { Provider } from '../../scripts/prepare-fixtures.js'
import type { Samples } from '../run/samples.js'
import type { Start } from '../run/measure-starts.js'

/** Samples of all contenders, by operation. */
export type ByOperation = Readonly<Record<string, readonly Samples[]>>

/** The results for one database. */
export interface Result {
  readonly provider: Provider
  readonly inProcess: ByOperation
  readonly overHttp: ByOperation
  readonly starts: readonly Start[]
}
