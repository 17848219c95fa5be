import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

import type { AppHooks } from '../../fixtures/workspace/expected/hooks.js'
import type { Caller } from './caller.js'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)

/** Returns the salt and the hash, in base64. */
async function hash(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, 32)
  return `${salt.toString('base64')}:${key.toString('base64')}`
}

const hashed = async <D extends { password?: string | undefined }>({ data }: { data: D }) =>
  data.password === undefined ? data : { ...data, password: await hash(data.password) }

export const passwords: AppHooks<Caller> = { Person: { create: { before: hashed }, update: { before: hashed } } }
