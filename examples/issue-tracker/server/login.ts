import { Hono } from 'hono'
import { sign } from 'hono/jwt'
import { z } from 'zod'

import type { PrismaClient } from '#prisma'
import { isPassword } from './passwords.js'

const HOURS = 12

const credentials = z.object({ email: z.string().max(200), password: z.string().max(200) })

/** Creates the route `POST /`, which returns a token for an email address and a password. */
export function loginRoutes(orm: PrismaClient, secret: string): Hono {
  return new Hono().post('/', async (c) => {
    const input = credentials.safeParse(await c.req.json().catch(() => undefined))
    if (!input.success) return c.json({ message: 'Give an email address and a password.' }, 400)
    const email = input.data.email.trim().toLowerCase()
    const user = await orm.user.findUnique({ where: { email } })
    const isValid = await isPassword(input.data.password, user?.password)
    if (!user || !isValid) return c.json({ message: 'There is no user with this email address and password.' }, 401)
    const exp = Math.floor(Date.now() / 1000) + HOURS * 3600
    return c.json({ token: await sign({ sub: String(user.id), exp }, secret, 'HS256'), userId: user.id })
  })
}
