import { beforeEach, expect, it } from 'vitest'

import { fixtureClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

// Row-level security does not apply to superusers and table owners. Apps connect as another role.
const SETUP = `
  DO $$ BEGIN
    CREATE ROLE routewright_app;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$;
  GRANT USAGE ON SCHEMA public TO routewright_app;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO routewright_app;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO routewright_app;
  ALTER TABLE "Member" ENABLE ROW LEVEL SECURITY;
  DROP POLICY IF EXISTS tenant ON "Member";
  CREATE POLICY tenant ON "Member" USING ("organisationId" = current_setting('app.organisation')::int);
`

describeDatabases(
  'row-level security',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillTenants(db)
      await db.execute(SETUP)
    })

    /** Creates the client of a request: each of its queries runs in a transaction with the caller's organization. */
    const clientOf = (organisation: number) =>
      db.orm.$extends({
        query: {
          $allModels: {
            async $allOperations({ args, query }) {
              const [, , result] = await db.orm.$transaction([
                db.orm.$executeRaw`SET LOCAL ROLE routewright_app`,
                db.orm.$executeRaw`SELECT set_config('app.organisation', ${String(organisation)}, TRUE)`,
                query(args),
              ])
              return result
            },
          },
        },
      })

    it('returns readable rows and responds to denials with 403 in both styles', async () => {
      const orm = clientOf(2)
      const rest = fixtureClient({ orm, routes: db.routes })
      const rpc = rpcClient(db as unknown as Database, {}, orm)
      expect((await rest.get('/member')).ids).toEqual(['3', '4'])
      expect((await rest.get('/member/1')).status).toBe(404)
      expect(await rpc.result('member', 'count')).toBe(2)

      const attributes = { email: 'new', organisationId: 1 }
      const created = await rest.post('/member', { data: { type: 'member', attributes } })
      expect(created.status).toBe(403)
      expect(created.errors).toMatchObject([{ code: 'forbidden' }])
      expect(await rpc.call('member', 'create', { data: attributes })).toMatchObject({
        status: 403,
        body: { rejectedByPolicy: true },
      })
      const moved = { where: { id: 3 }, data: { organisationId: 1 } }
      expect(await rpc.call('member', 'update', moved)).toMatchObject({ status: 403, body: { rejectedByPolicy: true } })
      const allowed = await rest.post('/member', {
        data: { type: 'member', attributes: { ...attributes, organisationId: 2 } },
      })
      expect(allowed.status).toBe(201)
      expect(await db.orm.member.count({ where: { organisationId: 1 } })).toBe(2)
    })

    it('responds with 404 to the members of a hidden row', async () => {
      await db.execute(`
        ALTER TABLE "Member" DISABLE ROW LEVEL SECURITY;
        ALTER TABLE "Organisation" ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS own ON "Organisation";
        CREATE POLICY own ON "Organisation" USING ("id" = 2);
      `)
      await db.orm.$transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL ROLE routewright_app`
        // The client of a transaction, without extensions.
        const rest = fixtureClient({ orm: tx, routes: db.routes })
        expect((await rest.get('/member')).ids).toHaveLength(4)
        for (const path of ['', '/members', '/relationships/members']) {
          expect((await rest.get(`/organisation/1${path}`)).status).toBe(404)
          expect((await rest.get(`/organisation/2${path}`)).status).toBe(200)
        }
      })
    })
  },
  { fixture: 'tenants', only: ['postgresql'] },
)
