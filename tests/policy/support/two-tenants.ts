import { expect } from 'vitest'

import { abilityBuilder, type AppAbility } from '../../../fixtures/tenants/expected/policy.js'
import { delegatesOf, type Row, TENANTS, type Tenants } from './tenants.js'

/** The calling member, of tenant beta. */
export const ME = 3

/**
 * Creates two tenants. Alpha: organization 1, members 1 and 2, projects 1 and 2, documents 1 and 2, label 1, secret 1.
 * Beta: organization 2, members 3 and 4, projects 3 and 4, documents 3 and 4, label 2, secret 2. Label 3 belongs to no
 * tenant. Every text of alpha contains "alpha".
 */
export async function fillTenants({ orm }: Pick<Tenants, 'orm'>): Promise<void> {
  await orm.organisation.createMany({
    data: [
      { slug: 'alpha', name: 'alpha inc', plan: 'alpha plan' },
      { slug: 'beta', name: 'beta inc' },
    ],
  })
  await orm.member.createMany({
    data: [
      { email: 'one@alpha', name: 'alpha one', role: 'OWNER', salary: 71111, organisationId: 1 },
      { email: 'two@alpha', name: 'alpha two', salary: 72222, organisationId: 1 },
      { email: 'me@beta', name: 'me', salary: 3, organisationId: 2 },
      { email: 'four@beta', name: 'four', role: 'OWNER', salary: 74444, organisationId: 2 },
    ],
  })
  await orm.project.createMany({
    data: [
      { key: 'k1', name: 'alpha project', organisationId: 1 },
      { key: 'k2', name: 'alpha child', organisationId: 1, parentId: 1 },
      { key: 'k1', name: 'beta project', organisationId: 2 },
      // An invalid reference to a row of another tenant.
      { key: 'k2', name: 'beta child', organisationId: 2, parentId: 1 },
    ],
  })
  await orm.document.createMany({
    data: [
      { title: 'alpha doc', body: 'alpha body', views: 71, projectId: 1, authorId: 1, reviewerId: 2 },
      { title: 'alpha doc two', views: 72, projectId: 2, authorId: 2 },
      { title: 'beta doc', body: 'text', views: 1, projectId: 3, authorId: 3, reviewerId: 4 },
      // Written and reviewed by a member of alpha.
      { title: 'beta doc two', views: 2, projectId: 3, authorId: 1, reviewerId: 1 },
    ],
  })
  await orm.comment.createMany({
    data: [
      { documentId: 1, seq: 1, body: 'alpha comment', authorId: 1 },
      { documentId: 1, seq: 2, body: 'alpha comment two', authorId: 3 },
      { documentId: 3, seq: 1, body: 'beta comment', authorId: 3 },
      { documentId: 3, seq: 2, body: 'beta comment two', authorId: 1 },
    ],
  })
  await orm.assignment.createMany({
    data: [
      { projectId: 1, memberId: 1, hours: 71 },
      { projectId: 3, memberId: 3, hours: 5 },
      { projectId: 3, memberId: 1, hours: 6 },
    ],
  })
  await orm.label.createMany({
    data: [{ name: 'alpha label', organisationId: 1 }, { name: 'beta label', organisationId: 2 }, { name: 'common' }],
  })
  await orm.label.update({
    where: { id: 1 },
    data: { documents: { connect: [{ id: 1 }, { id: 3 }] }, projects: { connect: { id: 1 } } },
  })
  await orm.label.update({ where: { id: 2 }, data: { documents: { connect: [{ id: 3 }] } } })
  await orm.secret.createMany({
    data: [
      { value: 'alpha secret', documentId: 1 },
      { value: 'beta secret', documentId: 3 },
    ],
  })
  await orm.audit.create({ data: { what: 'alpha audit', organisationId: 1 } })
}

/** Returns the permissions of a member of beta. Members can read only their own salary, and cannot change salaries. */
export function betaAbility(): AppAbility {
  const { can, cannot, build } = abilityBuilder()
  can(['read', 'update'], 'Organisation', { id: 2 })
  can('manage', 'Member', { organisationId: 2 })
  cannot('read', 'Member', ['salary'], { id: { not: ME } })
  cannot(['create', 'update'], 'Member', ['salary'])
  can('manage', 'Project', { organisationId: 2 })
  can('manage', 'Assignment', { project: { organisationId: 2 } })
  can('manage', 'Document', { project: { organisationId: 2 } })
  can('manage', 'Comment', { document: { project: { organisationId: 2 } } })
  can('manage', 'Label', { organisationId: 2 })
  can('read', 'Label', { organisationId: null })
  can('manage', 'Secret', { document: { project: { organisationId: 2 } } })
  return build()
}

/** All rows of alpha, and all rows that reference them. */
const ALPHA: Readonly<Record<string, Row>> = {
  Organisation: { id: 1 },
  Member: { organisationId: 1 },
  Project: { organisationId: 1 },
  Assignment: { OR: [{ project: { organisationId: 1 } }, { member: { organisationId: 1 } }] },
  Document: {
    OR: [{ project: { organisationId: 1 } }, { author: { organisationId: 1 } }, { reviewer: { organisationId: 1 } }],
  },
  Comment: { OR: [{ document: { project: { organisationId: 1 } } }, { author: { organisationId: 1 } }] },
  Label: { OR: [{ organisationId: 1 }, { organisationId: null }] },
  Secret: { OR: [{ document: { project: { organisationId: 1 } } }, { document: null }] },
}

/** The two tenants, for tests that rarely change the database. It is filled again only after a change. */
export interface Scene {
  /** Fills the database if it may have changed. */
  ready(): Promise<void>
  /** Marks the database as possibly changed. */
  changed(): void
  /** Expects that a write did not change rows of alpha, or any row if the write was denied. */
  assertUnchanged(isDenied: boolean, what: string): Promise<void>
}

export function sceneOf(db: Pick<Tenants, 'orm' | 'fill'>): Scene {
  let filled: { readonly alpha: unknown; readonly all: unknown } | undefined
  let isReady = false
  return {
    async ready() {
      if (isReady) return
      await db.fill(fillTenants)
      filled ??= { alpha: await rowsOf(db, ALPHA), all: await rowsOf(db, {}) }
      isReady = true
    },
    changed() {
      isReady = false
    },
    async assertUnchanged(isDenied, what) {
      isReady = false
      expect(await rowsOf(db, isDenied ? {} : ALPHA), what).toEqual(isDenied ? filled?.all : filled?.alpha)
      isReady = isDenied
    },
  }
}

/** Reads the rows that match the filter of their model, or all rows, including the join tables. */
async function rowsOf({ orm }: Pick<Tenants, 'orm'>, filters: Readonly<Record<string, Row>>): Promise<unknown> {
  const dump: Record<string, unknown> = {}
  for (const [name, model] of TENANTS) {
    const toMany = Object.fromEntries(
      [...model.relations].flatMap(([key, { many, inverseRelation }]) =>
        many && inverseRelation?.many ? [[key, { orderBy: { id: 'asc' } }]] : [],
      ),
    )
    const include = Object.keys(toMany).length > 0 ? { include: toMany } : {}
    const orderBy = (model.uniques.get(model.id) ?? []).map((field) => ({ [field]: 'asc' }))
    const where = filters[name] ?? {}
    dump[name] = await delegatesOf(orm)[model.delegate]?.['findMany']?.({ where, orderBy, ...include })
  }
  return dump
}
