import { All, Controller, type INestApplication, type MiddlewareConsumer, Module, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'

import { nestHandler, nestModule, type NestRequest, type NestResponse } from '../../runtime/adapters/nest.js'
import { type Mount, type Running, running, userHeader } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'

type Kind = 'controller' | 'middleware' | 'module'

interface Platform {
  readonly fastify: boolean
  readonly kind: Kind
}

const userOf = (req: NestRequest) => userHeader('raw' in req ? req.raw : req)
const served = ({ handler, getOrm, context }: Mount) => ({
  handler,
  context: (req: NestRequest) => context(userOf(req)),
  getOrm: (req: NestRequest, requestContext: unknown) => getOrm(userOf(req), requestContext),
})
const api = (mount: Mount) => nestHandler({ ...served(mount), prefix: mount.path })
const moduleOf = (mount: Mount) => nestModule({ prefix: mount.path, useFactory: () => served(mount) })

/** Returns a controller with one catch-all route, as decorators would define it. */
function controllerOf(mount: Mount, { fastify }: Platform): new () => object {
  const serve = api(mount)
  class ApiController {
    serve(req: NestRequest, res: NestResponse): Promise<void> {
      return serve(req, res)
    }
  }
  Controller(mount.path)(ApiController)
  All(fastify ? '*' : '*path')(ApiController.prototype, 'serve', { value: ApiController.prototype.serve })
  Req()(ApiController.prototype, 'serve', 0)
  Res()(ApiController.prototype, 'serve', 1)
  return ApiController
}

async function nest(mounts: readonly Mount[], platform: Platform): Promise<Running> {
  class AppModule {
    configure(consumer: MiddlewareConsumer): void {
      if (platform.kind !== 'middleware') return
      for (const mount of mounts) consumer.apply(api(mount)).forRoutes(`${mount.path}/*path`)
    }
  }
  const controllers = platform.kind === 'controller' ? mounts.map((mount) => controllerOf(mount, platform)) : []
  Module({ controllers, imports: platform.kind === 'module' ? mounts.map(moduleOf) : [] })(AppModule)

  const lines: string[] = []
  const write = (...texts: unknown[]) => void lines.push(...texts.map(String))
  const logger = { log: () => {}, warn: write, error: write, fatal: write }
  if (!platform.fastify) {
    const app = await NestFactory.create<NestExpressApplication>(AppModule, new ExpressAdapter(), { logger })
    return started(app.useBodyParser('json', { limit: '10mb' }), lines)
  }
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger })
  return started(app.useBodyParser('application/vnd.api+json'), lines)
}

async function started(app: INestApplication, lines: readonly string[]): Promise<Running> {
  await app.listen(0)
  return { ...running(app.getHttpServer(), () => app.close()), logged: () => lines.join('\n') }
}

for (const platform of ['Express', 'Fastify']) {
  for (const kind of ['controller', 'middleware', 'module'] as const) {
    const fastify = platform === 'Fastify'
    const start = (mounts: readonly Mount[]) => nest(mounts, { fastify, kind })
    adapterSuite(`nest adapter on ${platform}, ${kind}`, start, { parsed: true })
  }
}
