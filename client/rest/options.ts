import type { AnyApi, ModelName } from '../api.js'
import type { ReadDecimal } from '../codec/decode.js'
import type { HttpOptions } from '../http/options.js'
import type { NameMapping } from './types/api.js'

/** The options of {@link createRestClient}. */
export interface RestClientOptions extends HttpOptions {
  /** Makes Decimals of their digits: `(text) => new Decimal(text)`. Without it they are texts. */
  readonly decimal?: ReadDecimal | undefined
  /** Where the server takes atomic operations, below `url`. Default: `/operations`. */
  readonly operations?: string | undefined
  /** The server's option of this name: the path names of the models that it serves. */
  readonly modelNameMapping?: Readonly<Record<string, string | undefined>> | undefined
}

/** The options with what the types of results say: a `decimal` that makes `D`, and the `modelNameMapping` with the type `M`. */
export type RestClientOptionsFor<A extends AnyApi, D, M> = 'rest' extends A['styles']
  ? RestClientOptions &
      ([string] extends [D] ? unknown : { readonly decimal: (text: string) => D }) &
      (keyof M extends never
        ? { readonly modelNameMapping?: undefined }
        : { readonly modelNameMapping: M & NameMapping<A> })
  : 'The REST style is not emitted: see the option `styles` of the generator.'

/** What the emitted `graph.ts` exports: how the models of a schema lead to each other. */
export type GraphOf<A extends AnyApi> = {
  readonly [N in ModelName<A>]: { readonly relations: Readonly<Record<string, string>> }
}
