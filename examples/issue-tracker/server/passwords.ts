import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)

const SALT_BYTES = 16
const HASH_BYTES = 32

/** Hashes a password with scrypt and a random salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, HASH_BYTES)
  return `${salt.toString('base64')}:${hash.toString('base64')}`
}

/** A hash that matches no password. It is checked for unknown users, so that their login takes as long as that of known users. */
const DUMMY_HASH = `${'A'.repeat(22)}==:${'A'.repeat(43)}=`

/** Whether a password matches the stored hash. Takes the same time without a stored hash. */
export async function isPassword(password: string, stored: string = DUMMY_HASH): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split(':').map((part) => Buffer.from(part, 'base64'))
  const derived = await derive(password, Buffer.from(salt), HASH_BYTES)
  return derived.length === hash.length && timingSafeEqual(derived, Buffer.from(hash))
}
