import { httpError } from '@routewright/runtime'
import { verify } from 'hono/jwt'

import type { PrismaClient } from '#prisma'

/** The authenticated caller of a request. */
export interface Caller {
  readonly id: number
  /** The ids of the caller's teams. */
  readonly teamIds: number[]
  /** The ids of the teams in which the caller is an admin. */
  readonly adminTeamIds: number[]
  /** Whether the request includes archived issues. */
  readonly seesArchive: boolean
}

/** The request header that includes archived issues. */
export const ARCHIVE_HEADER = 'X-Archive'

/**
 * Authenticates a request by its bearer token. Loads the caller's teams for each request, so that leaving a team takes effect immediately.
 * @throws RequestError 401 if the token is missing, invalid or expired
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
    adminTeamIds: memberships.filter(({ role }) => role === 'ADMIN').map(({ teamId }) => teamId),
    seesArchive: request.headers.get(ARCHIVE_HEADER) === 'true',
  }
}
