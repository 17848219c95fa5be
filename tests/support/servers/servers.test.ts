import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'

import { isLong } from '../form.js'
import { mariadbPrograms, startMariadb } from './mariadb-server.js'
import { postgresPrograms, startPostgres } from './postgres-server.js'
import { startProxy } from './proxy.js'

const postgres = postgresPrograms()
const mariadb = mariadbPrograms()
const toRemove: { remove(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of toRemove.reverse()) await server.remove()
})

/** Runs one statement on a new connection. */
async function querySql(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows.flatMap((row) => Object.values(row))
  } finally {
    await client.end()
  }
}

describe.runIf(isLong && postgres)('test servers: PostgreSQL', () => {
  it('keeps committed rows after a kill and promotes a standby', async () => {
    const primary = await startPostgres({ programs: postgres ?? '', conf: ["work_mem = '5MB'"] })
    toRemove.push(primary)
    expect(await querySql(primary.url(), 'SHOW work_mem')).toEqual(['5MB'])
    await querySql(primary.url(), 'CREATE TABLE kept AS SELECT 1 AS one')
    await primary.kill()
    await expect(querySql(primary.url(), 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
    await primary.start()
    expect(await querySql(primary.url(), 'SELECT one FROM kept')).toEqual([1])

    const standby = await startPostgres({ programs: postgres ?? '', standbyOf: primary })
    toRemove.push(standby)
    expect(await querySql(standby.url(), 'SELECT pg_is_in_recovery()')).toEqual([true])
    await primary.stop()
    await standby.promote()
    await querySql(standby.url(), 'INSERT INTO kept VALUES (2)')
    expect(await querySql(standby.url(), 'SELECT one FROM kept ORDER BY 1')).toEqual([1, 2])
  })

  it('connects through a proxy that stalls, cuts and refuses', async () => {
    const server = await startPostgres({ programs: postgres ?? '' })
    toRemove.push(server)
    const seen: string[] = []
    const proxy = await startProxy({
      to: server.port,
      watch: (bytes, way) => seen.push(`${way}: ${bytes.toString('latin1')}`),
    })
    const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
    const client = new Client({ connectionString: url })
    const lost: string[] = []
    client.on('error', ({ message }) => lost.push(message))
    await client.connect()
    expect(seen.some((line) => line.startsWith('answers: '))).toBe(true)
    proxy.stall('answers')
    let done = false
    const query = client.query('CREATE TABLE held AS SELECT 7 AS seven').then(() => (done = true))
    // The server has executed the statement, but the client does not know.
    for (let tries = 0; tries < 100; tries++) {
      const there = await querySql(server.url(), "SELECT to_regclass('held')::text")
      if (there[0] === 'held') break
    }
    expect(done).toBe(false)
    proxy.pass()
    await query
    expect(await client.query('SELECT seven FROM held')).toMatchObject({ rows: [{ seven: 7 }] })
    const ended = new Promise((resolve) => client.once('end', resolve))
    proxy.cut()
    await ended
    expect(lost.length).toBeGreaterThan(0)
    expect(await querySql(url, 'SELECT 1')).toEqual([1])
    await proxy.rejectConnections()
    await expect(querySql(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
    await proxy.accept()
    expect(await querySql(url, 'SELECT 2')).toEqual([2])
    await proxy.close()
  })
})

describe.runIf(isLong && mariadb)('test servers: MariaDB', () => {
  it('keeps committed rows after a kill', async () => {
    if (!mariadb) return
    const server = await startMariadb({ programs: mariadb, flags: ['--max-connections=17'] })
    toRemove.push(server)
    const query = async (sql: string) => {
      const connection = await new PrismaMariaDb(server.url()).connect()
      try {
        return await connection.underlyingDriver().query<Record<string, unknown>[]>(sql)
      } finally {
        await connection.dispose()
      }
    }
    expect(await query('SELECT @@max_connections AS connections')).toMatchObject([{ connections: 17n }])
    await query('CREATE TABLE kept (one INT)')
    await query('INSERT INTO kept VALUES (1)')
    await server.kill()
    await server.start()
    expect(await query('SELECT one FROM kept')).toMatchObject([{ one: 1 }])
  })
})
