import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)

const SALT_BYTES = 16
const HASH_BYTES = 32

/** What is stored of a password: a salt, and the scrypt hash of both. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, HASH_BYTES)
  return `${salt.toString('base64')}:${hash.toString('base64')}`
}

/** A hash that no password has, for those whom there are no hashes of: their log-in takes as long as that of others. */
const NOBODY = `${'A'.repeat(22)}==:${'A'.repeat(43)}=`

/** Whether it is the password that was stored. Takes the same time where nothing was stored. */
export async function isPassword(password: string, stored: string = NOBODY): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split(':').map((part) => Buffer.from(part, 'base64'))
  const given = await derive(password, Buffer.from(salt), HASH_BYTES)
  return given.length === hash.length && timingSafeEqual(given, Buffer.from(hash))
}
