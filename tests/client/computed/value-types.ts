import { expectTypeOf } from 'vitest'

import type { ComputedInRest, ComputedInRpc } from '../../../client/computed.js'
import type { Prisma } from '../../../fixtures/blog/client/client.js'

/** A custom Decimal class. */
class Money {
  readonly cents = 1n
}

type Rpc<T> = ComputedInRpc<T, Money>
type Rest<T> = ComputedInRest<T, Money>

enum Colour {
  Red = 'red',
}

interface Row {
  readonly at?: Date
  price: Prisma.Decimal | null
  deep: { big: bigint }[]
  left: string | undefined
  call(): void
  perhaps: (() => void) | null
  [Symbol.iterator]: string
}

/** Type tests for the values of computed fields. `values.test.ts` sends such values. */
export function values(): void {
  expectTypeOf<Rpc<string | number | boolean | bigint | Date | null | undefined>>().toEqualTypeOf<
    string | number | boolean | bigint | Date | null | undefined
  >()
  expectTypeOf<Rest<string | number | boolean | bigint | Date | null | undefined>>().toEqualTypeOf<
    string | number | boolean | bigint | Date | null
  >()
  expectTypeOf<Rpc<'a' | Colour.Red>>().toEqualTypeOf<'a' | Colour.Red>()
  expectTypeOf<Rpc<Prisma.Decimal | null>>().toEqualTypeOf<Money | null>()
  expectTypeOf<Rest<Prisma.Decimal | null>>().toEqualTypeOf<Money | null>()
  expectTypeOf<Rpc<Buffer>>().toEqualTypeOf<Uint8Array<ArrayBuffer>>()
  expectTypeOf<Rest<Uint8Array>>().toEqualTypeOf<Uint8Array<ArrayBuffer>>()
  expectTypeOf<Rpc<URL>>().toEqualTypeOf<string>()
  expectTypeOf<Rest<URL>>().toEqualTypeOf<string>()
  expectTypeOf<Rpc<{ toJSON(): { at: Date } }>>().toEqualTypeOf<unknown>()
  expectTypeOf<Rest<{ toJSON(): { at: Date } }>>().toEqualTypeOf<{ at: Date }>()

  expectTypeOf<Rpc<Row>>().toEqualTypeOf<{
    readonly at?: Date
    price: Money | null
    deep: { big: bigint }[]
    left: string | undefined
    perhaps: null | undefined
  }>()
  expectTypeOf<Rest<Row>>().toEqualTypeOf<Rpc<Row>>()
  expectTypeOf<Rpc<readonly Prisma.Decimal[]>>().toEqualTypeOf<Money[]>()
  expectTypeOf<Rpc<readonly [Prisma.Decimal, string]>>().toEqualTypeOf<readonly [Money, string]>()
  expectTypeOf<Rpc<(number | undefined)[]>>().toEqualTypeOf<(number | undefined)[]>()
  expectTypeOf<Rest<(number | undefined)[]>>().toEqualTypeOf<(number | null)[]>()
  expectTypeOf<Rpc<(() => void)[]>>().toEqualTypeOf<null[]>()
  expectTypeOf<Rest<(() => void)[]>>().toEqualTypeOf<null[]>()
  expectTypeOf<Rpc<Record<string, Prisma.Decimal>>>().toEqualTypeOf<Record<string, Money>>()

  // Prisma's recursive Json type is unchanged.
  expectTypeOf<Prisma.JsonValue>().toExtend<Rpc<Prisma.JsonValue>>()
  expectTypeOf<Rpc<Prisma.JsonValue>>().toExtend<Prisma.JsonValue>()
  expectTypeOf<Prisma.JsonValue>().toExtend<Rest<Prisma.JsonValue>>()
  expectTypeOf<Rest<Prisma.JsonValue>>().toExtend<Prisma.JsonValue>()

  // `unknown` and `any` are preserved. Values whose JSON form has no precise type become `unknown`.
  expectTypeOf<Rpc<unknown>>().toBeUnknown()
  expectTypeOf<Rest<unknown>>().toBeUnknown()
  // oxlint-disable-next-line no-explicit-any -- An extension may use it.
  expectTypeOf<Rpc<any>>().toBeAny()
  expectTypeOf<Rpc<Map<string, Date>>>().toBeUnknown()
  expectTypeOf<Rest<Set<Date>>>().toBeUnknown()
  expectTypeOf<Rpc<Float32Array>>().toBeUnknown()
  expectTypeOf<Rpc<Promise<string>>>().toBeUnknown()
}
