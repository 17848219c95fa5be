import { expectTypeOf } from 'vitest'

import { createRpcClient } from '../../../client/index.js'
import type { Prisma, PrismaClient } from '../../../fixtures/annotations/client/client.js'
import type { Api } from '../../../fixtures/annotations/expected/client.js'
import type { Api as RestOnly } from '../../../fixtures/adapters-rest/expected/client.js'

const api = createRpcClient<Api, Prisma.Decimal>({ url: '/api', decimal: (text) => text as never })
declare const prisma: PrismaClient<
  never,
  { account: { password: true; notes: true }; secret: { id: true; value: true; accountId: true } }
>

/** The operations, fields and relations that the annotations of the schema leave. */
export async function exposure(): Promise<void> {
  expectTypeOf(await api.account.findMany()).toEqualTypeOf(await prisma.account.findMany())
  expectTypeOf(await api.account.findMany({ include: { invoices: true } })).toEqualTypeOf(
    await prisma.account.findMany({ include: { invoices: true } }),
  )
  // Relations to `Account` are nullable, except the one of `Invoice`.
  const [secret] = await prisma.secret.findMany({ include: { account: true } })
  const [ofApi] = await api.secret.findMany({ include: { account: true } })
  expectTypeOf(ofApi?.account).toEqualTypeOf<NonNullable<typeof secret>['account'] | null | undefined>()
  expectTypeOf(ofApi?.key).toEqualTypeOf(secret?.key)
  expectTypeOf(await api.invoice.findMany({ include: { account: true } })).toEqualTypeOf(
    await prisma.invoice.findMany({ include: { account: true } }),
  )
  expectTypeOf(await api.account.findFirstOrThrow({ select: { _count: true } })).toEqualTypeOf<{
    _count: { invoices: number }
  }>()

  // Optional arguments, for example in a wrapper of a call.
  const around = (args?: { take: number }) => api.account.findMany(args)
  expectTypeOf(await around()).toEqualTypeOf(await prisma.account.findMany())

  // Hidden models and relations.
  // @ts-expect-error It is hidden.
  await api.session.findMany()
  // @ts-expect-error It is hidden.
  await api.account.findMany({ include: { sessions: true } })
  // @ts-expect-error It is hidden.
  await api.account.findMany({ include: { secrets: true } })
  // @ts-expect-error It is hidden.
  await api.account.findMany({ where: { secrets: { some: { key: 'a' } } } })
  // @ts-expect-error It is hidden.
  await api.account.findMany({ where: { handle: 'a', sessions: { none: {} } } })
  // @ts-expect-error It is hidden.
  await api.account.findMany({ select: { handle: true, notes: true } })
  // @ts-expect-error It is hidden.
  await api.secret.findMany({ where: { value: 'a' } })

  // A hidden unique criterion, which no other replaces.
  await api.secret.findUnique({ where: { key: 'a' } })
  // @ts-expect-error No exposed unique criterion.
  await api.secret.findUnique({ where: { id: 1 } })
  // @ts-expect-error No exposed unique criterion.
  await api.secret.findUnique({ where: {} })

  // Operations that the model or a relation does not have.
  expectTypeOf<keyof typeof api.account>().toEqualTypeOf<
    | 'findMany'
    | 'findFirst'
    | 'findFirstOrThrow'
    | 'findUnique'
    | 'findUniqueOrThrow'
    | 'count'
    | 'aggregate'
    | 'groupBy'
    | 'update'
    | 'updateMany'
    | 'updateManyAndReturn'
    | 'exists'
    | 'check'
  >()
  expectTypeOf<keyof typeof api.feedback>().toEqualTypeOf<'create' | 'createMany' | 'createManyAndReturn' | 'check'>()
  expectTypeOf<keyof typeof api.invoice & (`create${string}` | `update${string}` | 'delete')>().toBeNever()
  // @ts-expect-error The operation or the field is not available.
  await api.secret.create({ data: { key: 'a', account: { create: { handle: 'a', email: 'b', password: 'c' } } } })
  await api.account.update({ where: { id: 'a' }, data: { handle: 'a' } })
  // @ts-expect-error The operation or the field is not available.
  await api.account.update({ where: { id: 'a' }, data: { invoices: { connect: { id: 1 } } } })
  // @ts-expect-error The operation or the field is not available.
  await api.account.update({ where: { id: 'a' }, data: { createdAt: new Date() } })

  // Server-set fields, which a create must not contain.
  expectTypeOf((await api.visit.create({ data: { reason: 'a' } })).clinicId).toBeNumber()
  await api.visit.createMany({ data: [{ reason: 'a' }] })
  // @ts-expect-error The server sets it.
  await api.visit.create({ data: { reason: 'a', clinicId: 1 } })
  // @ts-expect-error The server sets it.
  await api.visit.update({ where: { id: 1 }, data: { clinicId: 1 } })
  // @ts-expect-error `reason` is required.
  await api.visit.create({ data: {} })

  // Relations whose foreign key is set by the server.
  await api.bed.create({ data: { label: 'a' } })
  // @ts-expect-error The server sets it.
  await api.bed.create({ data: { label: 'a', ward: { connect: { id: 1 } } } })
  // @ts-expect-error The server sets it.
  await api.bed.update({ where: { id: 1 }, data: { ward: { connect: { id: 1 } } } })
  // @ts-expect-error The server sets it.
  await api.ward.update({ where: { id: 1 }, data: { beds: { connect: { id: 1 } } } })

  // A schema with routes of the REST style only.
  // @ts-expect-error The schema has no RPC style.
  createRpcClient<RestOnly>({ url: '/api' })
  // A Decimal type without the `decimal` option.
  // @ts-expect-error The `decimal` option is required.
  createRpcClient<Api, Prisma.Decimal>({ url: '/api' })
  const texts = createRpcClient<Api>({ url: '/api' })
  expectTypeOf((await texts.account.findFirstOrThrow()).balance).toBeString()
  expectTypeOf((await texts.account.aggregate({ _sum: { balance: true } }))._sum.balance).toEqualTypeOf<string | null>()
  expectTypeOf((await texts.account.groupBy({ by: ['balance'] }))[0]?.balance).toEqualTypeOf<string | undefined>()
}
