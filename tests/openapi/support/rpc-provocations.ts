/** A request to an operation on posts of the blog, and its expected response. */
export interface RpcProvocation {
  readonly status: number
  readonly args: unknown
  /** The raw body, instead of `args`. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Prisma's code in the response. */
  readonly code?: string
}

const NEW = { slug: 'a-new-one', title: 'New' }
const ONE = { where: { id: 1 } }
const CHANGE = { ...ONE, data: { title: 'Changed' } }

/** Valid arguments of each operation. */
const RIGHT: Readonly<Record<string, object>> = {
  findMany: { take: 1 },
  findFirst: { take: 1 },
  findFirstOrThrow: { take: 1 },
  findUnique: ONE,
  findUniqueOrThrow: ONE,
  count: ONE,
  aggregate: { _count: true },
  groupBy: { by: ['status'] },
  check: { operation: 'read' },
  create: { data: { ...NEW, slug: 'one' } },
  createMany: { data: [{ ...NEW, slug: 'one-of-many' }] },
  createManyAndReturn: { data: [{ ...NEW, slug: 'one-that-returns' }] },
  update: CHANGE,
  updateMany: CHANGE,
  updateManyAndReturn: CHANGE,
  upsert: { ...ONE, create: NEW, update: { title: 'Changed' } },
  delete: { where: { id: 3 } },
  deleteMany: { where: { id: 2 } },
}

/** Arguments with the id of a missing row. */
const MISSING: Readonly<Record<string, object>> = {
  findFirstOrThrow: { where: { id: 999 } },
  findUniqueOrThrow: { where: { id: 999 } },
  create: { data: { ...NEW, tags: { connect: { name: 'no such tag' } } } },
  update: { where: { id: 999 }, data: {} },
  upsert: { where: { id: 999 }, create: { ...NEW, tags: { connect: { name: 'no such tag' } } }, update: {} },
  delete: { where: { id: 999 } },
}

/** Prisma's error codes by status. The tests' client fails with them on request. */
const CODES: Readonly<Record<number, readonly string[]>> = {
  403: ['P2004'],
  404: ['P2025', 'P2015', 'P2017', 'P2018'],
  409: ['P2002', 'P2003', 'P2014', 'P2034'],
  422: ['P2000', 'P2004', 'P2011', 'P2020'],
  500: ['P9999'],
  503: ['P1001', 'P2024'],
}

/**
 * Requests to an operation that cause every status that it lists, each at least once.
 * @param hasBody whether the arguments are in a body
 * @param statuses the documented statuses; the client fails only with these
 */
export function rpcProvocations(
  operation: string,
  hasBody: boolean,
  statuses: ReadonlySet<string>,
): readonly RpcProvocation[] {
  const args = RIGHT[operation] ?? {}
  const wrong =
    operation === 'create' || operation.startsWith('createMany') ? wrongData(args) : { ...args, ...WRONG_ROW }
  const large = 'x'.repeat(1_100_000)
  const missing = MISSING[operation]
  const failing = Object.entries(CODES)
    .filter(([status]) => statuses.has(status) || (Number(status) >= 500 && statuses.has('5XX')))
    .flatMap(([status, codes]) =>
      codes.map((code) => ({
        status: Number(status),
        args,
        headers: { 'X-Fails': `${code} ${status}` },
        ...(/^P[12]/.test(code) && { code }),
      })),
    )
  const success = Number([...statuses].find((status) => status.startsWith('2')))
  return [
    { status: success, args },
    { status: 400, args: { ...args, nonsense: 1 } },
    { status: 422, args: wrong },
    ...(hasBody
      ? [
          { status: 400, args, raw: '{' },
          { status: 413, args, raw: JSON.stringify({ ...args, large }) },
          { status: 415, args, headers: { 'Content-Type': 'text/plain' } },
        ]
      : []),
    ...(statuses.has('413') && !hasBody ? [{ status: 413, args, raw: JSON.stringify({ large }) }] : []),
    ...(missing ? [{ status: 404, args: missing }] : []),
    // Without policies, `check` does not use the client.
    ...(operation === 'check'
      ? REJECTED_STATUSES.map((status) => ({ status, args, headers: { 'X-Refused': String(status) } }))
      : failing),
  ]
}

const WRONG_ROW = { where: { id: 'x' } }

const REJECTED_STATUSES = [403, 500]

function wrongData(args: object): object {
  const wrong = { ...NEW, title: '' }
  return 'data' in args && Array.isArray(args.data) ? { data: [wrong] } : { data: wrong }
}
