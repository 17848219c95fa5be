import {
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  Scope,
  SetMetadata,
  UseGuards,
} from '@nestjs/common'
import { NestFactory, REQUEST, Reflector } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { nestModule, type NestRequest } from '../../runtime/adapters/nest.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { echo } from './suite/echo.js'
import { type Running, running } from './suite/serving.js'

type Orm = Database['orm']
type UserRequest = NestRequest & { readonly headers: Readonly<Record<string, unknown>>; user?: unknown }

class AppModule {
  readonly name = 'app'
}

class DbModule {
  readonly name = 'db'
}

/** An injectable of a Nest app with one client for all requests. */
class PrismaService {
  constructor(readonly orm: Orm) {}
}

/** A request-scoped client under which a caller can read only their own row. */
class ScopedClient {
  static created = 0
  readonly #request: UserRequest
  readonly #prisma: PrismaService

  constructor(request: UserRequest, prisma: PrismaService) {
    ScopedClient.created++
    this.#request = request
    this.#prisma = prisma
  }

  client() {
    const email = String(this.#request.headers['x-user'])
    return this.#prisma.orm.$extends({
      query: { user: { findMany: ({ args, query }) => query({ ...args, where: { email } }) } },
    })
  }
}
Injectable({ scope: Scope.REQUEST })(ScopedClient)
Inject(REQUEST)(ScopedClient, undefined, 0)
Inject(PrismaService)(ScopedClient, undefined, 1)

/** Allows callers with a name and sets the user. Depends on the roles of the route and on a provider. */
class AuthGuard implements CanActivate {
  constructor(
    readonly reflector: Reflector,
    readonly prisma: PrismaService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<UserRequest>()
    const role = this.reflector.get<string | undefined>('role', context.getClass())
    const email = String(request.headers['x-user'])
    request.user = await this.prisma.orm.user.findFirst({ where: { email }, select: { email: true } })
    return role === 'reader' && request.user !== null
  }
}
Injectable()(AuthGuard)
Inject(Reflector)(AuthGuard, undefined, 0)
Inject(PrismaService)(AuthGuard, undefined, 1)

function describeModule(name: string, fastify: boolean): void {
  describeDatabases(
    `nest module on ${name}`,
    (db) => {
      async function serve(modules: readonly DynamicModule[], globalPrefix = ''): Promise<Running & { log: string[] }> {
        const log: string[] = []
        const write = (...texts: unknown[]) => void log.push(...texts.map(String))
        const options = { logger: { log: () => {}, warn: write, error: write, fatal: write } }
        const app = fastify
          ? await NestFactory.create<NestFastifyApplication>(
              { module: AppModule, imports: [...modules] },
              new FastifyAdapter(),
              options,
            )
          : await NestFactory.create({ module: AppModule, imports: [...modules] }, new ExpressAdapter(), options)
        app.setGlobalPrefix(globalPrefix)
        await app.listen(0)
        onTestFinished(() => server.close())
        const server = running(app.getHttpServer(), () => app.close())
        return { ...server, log }
      }

      const dbModule: DynamicModule = {
        module: DbModule,
        providers: [{ provide: PrismaService, useFactory: () => new PrismaService(db.orm) }, ScopedClient],
        exports: [PrismaService, ScopedClient],
      }

      const emails = async (server: Running, user?: string, path = '/api/user/findMany') => {
        const response = await server.fetch(path, user === undefined ? {} : { headers: { 'x-user': user } })
        if (response.status !== 200) return response.status
        const { data }: { data: { email: string }[] } = await response.json()
        return data.map(({ email }) => email)
      }

      beforeEach(async () => {
        await db.fill(({ orm }) =>
          orm.user.createMany({
            data: ['ada', 'bob'].map((email) => ({ email: `${email}@x.test`, password: 'long enough' })),
          }),
        )
        ScopedClient.created = 0
      })
      const [ADA, BOB] = ['ada@x.test', 'bob@x.test']

      it('serves RPC with an injected client; calls the factory once', async () => {
        const calls = { factory: 0, handler: 0 }
        const useFactory = async (prisma: PrismaService) => {
          calls.factory++
          return { getOrm: () => prisma.orm }
        }
        const handler = () => {
          calls.handler++
          return db.routes.RPCApiHandler()
        }
        const server = await serve([
          nestModule({ prefix: 'api', imports: [dbModule], inject: [PrismaService], useFactory }, handler),
        ])
        expect(await emails(server)).toEqual([ADA, BOB])
        expect(await emails(server)).toEqual([ADA, BOB])
        expect(calls).toEqual({ factory: 1, handler: 1 })
        expect(server.log).toEqual([])
      })

      it('calls the factory per request if a provider is request-scoped', async () => {
        let handlers = 0
        const handler = () => {
          handlers++
          return db.routes.RPCApiHandler()
        }
        const server = await serve([
          nestModule(
            {
              prefix: 'api',
              imports: [dbModule],
              inject: [ScopedClient, { token: 'NOWHERE', optional: true }],
              useFactory: (scopedClient: ScopedClient, nowhere: string | undefined) => ({
                getOrm: () => {
                  expect(nowhere).toBeUndefined()
                  return scopedClient.client()
                },
              }),
            },
            handler,
          ),
        ])
        expect(await Promise.all([emails(server, ADA), emails(server, BOB)])).toEqual([[ADA], [BOB]])
        expect([ScopedClient.created, handlers]).toEqual([2, 1])
      })

      it('injects the request before guards run and calls getOrm after them', async () => {
        const seen: unknown[] = []
        const guarded = nestModule(
          {
            prefix: 'api',
            imports: [dbModule],
            inject: [PrismaService, REQUEST],
            decorators: [SetMetadata('role', 'reader'), UseGuards(AuthGuard)],
            useFactory: (prisma: PrismaService, request: UserRequest) => {
              seen.push(['factory', request.headers['x-user'], request.user])
              return {
                getOrm: (req: UserRequest) => {
                  seen.push(['getOrm', request.user, req === request])
                  return prisma.orm
                },
              }
            },
          },
          () => db.routes.RPCApiHandler(),
        )
        const server = await serve([guarded])
        expect(await emails(server, ADA)).toEqual([ADA, BOB])
        expect(seen).toEqual([
          ['factory', ADA, undefined],
          ['getOrm', { email: ADA }, true],
        ])
      })

      it('responds with 403 from a guard without calling getOrm', async () => {
        let ormCalls = 0
        const module = (prefix: string, role: string) =>
          nestModule(
            {
              prefix,
              imports: [dbModule],
              decorators: [SetMetadata('role', role), UseGuards(AuthGuard)],
              useFactory: () => ({ getOrm: () => (ormCalls++, db.orm) }),
            },
            () => db.routes.RPCApiHandler(),
          )
        const server = await serve([module('api', 'reader'), module('closed', 'nobody')])
        expect(await emails(server)).toBe(403)
        expect(await emails(server, 'eve@x.test')).toBe(403)
        expect(await emails(server, ADA, '/closed/user/findMany')).toBe(403)
        expect(ormCalls).toBe(0)
        expect(await emails(server, ADA)).toEqual([ADA, BOB])
      })

      it('mounts several modules below the global prefix, with path parameters', async () => {
        const useFactory = (prisma: PrismaService) => ({ getOrm: () => prisma.orm })
        const of = { imports: [dbModule], inject: [PrismaService] as const }
        const rest = db.routes.RestApiHandler({ endpoint: 'https://x.test/v1/rest' })
        const server = await serve(
          [
            nestModule({ ...of, prefix: 'rpc', useFactory }, db.routes.RPCApiHandler),
            nestModule({
              ...of,
              prefix: '/rest',
              useFactory: (prisma: PrismaService) => ({ getOrm: () => prisma.orm, handler: rest }),
            }),
            nestModule({ prefix: 't/:tenant', useFactory: () => ({ getOrm: () => 'ada', handler: echo }) }),
          ],
          'v1',
        )
        expect(await emails(server, ADA, '/v1/rpc/user/findMany')).toEqual([ADA, BOB])
        expect(await emails(server, ADA, '/rpc/user/findMany')).toBe(404)
        const list = await server.fetch('/v1/rest/user?fields[user]=email')
        expect(await list.json()).toMatchObject({ data: [{ attributes: { email: ADA } }, { attributes: {} }] })
        const echoed = await server.fetch('/v1/t/a%20b/post/1?x=1')
        expect(await echoed.json()).toMatchObject({ prefix: '/v1/t/a%20b', path: '/post/1?x=1' })
        expect(server.log).toEqual([])
      })

      it('serves routes at the root', async () => {
        const server = await serve([
          nestModule({ useFactory: () => ({ getOrm: () => db.orm }) }, db.routes.RPCApiHandler),
        ])
        expect(await emails(server, ADA, '/user/findMany')).toEqual([ADA, BOB])
      })

      it("passes errors of a request-scoped factory to Nest's filters", async () => {
        const useFactory = (_request: UserRequest): { readonly getOrm: () => Orm } => {
          throw new ForbiddenException('not you')
        }
        const server = await serve([
          nestModule({ prefix: 'api', inject: [REQUEST], useFactory }, db.routes.RPCApiHandler),
        ])
        const response = await server.fetch('/api/user/findMany')
        expect([response.status, await response.json()]).toMatchObject([403, { message: 'not you' }])
      })

      it('responds with 500 and logs an error if the handler is missing', async () => {
        const server = await serve([nestModule({ prefix: 'api', useFactory: () => ({ getOrm: () => db.orm }) })])
        expect(await emails(server)).toBe(500)
        expect(server.log.join('\n')).toContain('useFactory of RoutesModule must return a handler.')
      })
    },
    { only: ['SQLite'] },
  )
}

describeModule('Express', false)
describeModule('Fastify', true)

describe('nestModule types', () => {
  it('check injected tokens against the parameters of the factory', () => {
    const useFactory = (prisma: PrismaService) => ({ getOrm: () => prisma.orm, handler: echo })
    nestModule({ inject: [PrismaService], useFactory })
    nestModule({ inject: ['PRISMA'], useFactory })
    nestModule({
      inject: [PrismaService],
      useFactory: (prisma: PrismaService) => ({
        handler: echo,
        context: (req: UserRequest) => ({ user: String(req.user) }),
        getOrm: (_req, { user }) => (user.length > 0 ? prisma.orm : undefined),
      }),
    })
    // These two lines test the types: each must be rejected by the compiler, because `inject` names other tokens than the factory takes.
    // @ts-expect-error AuthGuard is not the PrismaService that the factory takes.
    nestModule({ inject: [AuthGuard], useFactory })
    // @ts-expect-error The factory takes one argument, not two.
    nestModule({ inject: [PrismaService, REQUEST], useFactory })
  })
})
