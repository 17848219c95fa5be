import { httpError } from '@routewright/runtime'
import { verify } from 'hono/jwt'

import type { PrismaClient } from '#prisma'

/** Who asks, and what the app knows of them. */
export interface Caller {
  readonly id: number
  /** The teams they belong to. */
  readonly teamIds: number[]
  /** Those of them that they manage. */
  readonly adminOf: number[]
  /** Whether this request sees archived issues too. */
  readonly seesArchive: boolean
}

/** The header of requests that see archived issues. */
export const ARCHIVE_HEADER = 'X-Archive'

/**
 * Who sends a request, by the token in its header. The teams are looked up each time: who has left one sees nothing of it from then on.
 * @throws 401 where there is no token, or it is not one of ours, or too old
 */
export async function callerOf(request: Request, orm: PrismaClient, secret: string): Promise<Caller> {
  const [, token] = /^Bearer (\S+)$/.exec(request.headers.get('Authorization') ?? '') ?? []
  const { sub } = await verify(token ?? '', secret, 'HS256').catch(() => {
    throw httpError(401, 'Log in first.')
  })
  const id = Number(sub)
  const memberships = await orm.membership.findMany({ where: { userId: id } })
  return {
    id,
    teamIds: memberships.map(({ teamId }) => teamId),
    adminOf: memberships.filter(({ role }) => role === 'ADMIN').map(({ teamId }) => teamId),
    seesArchive: request.headers.get(ARCHIVE_HEADER) === 'true',
  }
}
