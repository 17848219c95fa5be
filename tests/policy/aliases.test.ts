import { describe, expect, it } from 'vitest'

import { fieldAliases } from '../../runtime/policy/rules/rules.js'
import { compilePolicySchema } from '../../runtime/policy/policy-schema.js'
import type { Resource } from '../../runtime/schema/resource.js'

const id = { type: 'Int' } as const
const organisation: Resource = {
  model: 'Organisation',
  delegate: 'organisation',
  id: 'id',
  fields: { id },
  relations: {},
}
const project: Resource = { ...organisation, model: 'Project', delegate: 'project', fields: { id, org: id } }
const task: Resource = {
  ...organisation,
  model: 'Task',
  delegate: 'task',
  fields: { id, org: id, projectId: id },
  relations: {
    organisation: { model: 'Organisation', foreignKey: { org: 'id' } },
    project: { model: 'Project', foreignKey: { org: 'org', projectId: 'id' } },
  },
}

describe('policy: fieldAliases with relations that share a column', () => {
  const model = compilePolicySchema([organisation, project, task]).get('Task')
  const names = (field: string) => model && fieldAliases(model, field)

  it('returns only the name of a field without a relation', () => {
    expect(names('id')).toEqual({ forbid: ['id'], allow: [[['id']]] })
  })

  it('allows a relation by its name or all columns, forbids it by any', () => {
    expect(names('project')).toEqual({
      forbid: ['project', 'org', 'projectId', 'organisation'],
      allow: [[['project']], [['org'], ['projectId']]],
    })
    expect(names('organisation')).toEqual({
      forbid: ['organisation', 'org', 'project'],
      allow: [[['organisation', 'org']]],
    })
  })

  it('allows a shared column by its name or by both relations', () => {
    expect(names('org')).toEqual({
      forbid: ['org', 'organisation', 'project'],
      allow: [[['org']], [['organisation'], ['project']]],
    })
    expect(names('projectId')).toEqual({ forbid: ['projectId', 'project'], allow: [[['projectId', 'project']]] })
  })
})
