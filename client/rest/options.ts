import type { AnyApi, ModelName } from '../api.js'
import type { ReadDecimal } from '../codec/decode.js'
import type { HttpOptions } from '../http/options.js'
import type { NameMapping } from './types/api.js'

/** Options of `createRestClient`. */
export interface RestClientOptions extends HttpOptions {
  /** Converts a Decimal from its string form: `(text) => new Decimal(text)`. Default: Decimals stay strings. */
  readonly decimal?: ReadDecimal | undefined
  /** The path of the atomic operations endpoint, relative to `url`. Default: `/operations`. */
  readonly operations?: string | undefined
  /** The server option of the same name: model name → path name of each exposed model. */
  readonly modelNameMapping?: Readonly<Record<string, string | undefined>> | undefined
}

/** {@link RestClientOptions} with a `decimal` that returns `D` and a `modelNameMapping` of type `M`. */
export type RestClientOptionsFor<A extends AnyApi, D, M> = 'rest' extends A['styles']
  ? RestClientOptions &
      ([string] extends [D] ? unknown : { readonly decimal: (text: string) => D }) &
      (keyof M extends never
        ? { readonly modelNameMapping?: undefined }
        : { readonly modelNameMapping: M & NameMapping<A> })
  : 'The REST routes are not generated: see the generator option `styles`.'

/** The part of the generated `graph` that a client needs: the relations of each model. */
export type GraphOf<A extends AnyApi> = {
  readonly [N in ModelName<A>]: { readonly relations: Readonly<Record<string, string>> }
}
