import { describe, expect, it } from 'vitest'

import { fieldAliases } from '../../runtime/policy/rules/field-aliases.js'
import { compilePolicySchema } from '../../runtime/policy/schema.js'
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

describe('policy: names of a field in rules, where relations share a column', () => {
  const model = compilePolicySchema([organisation, project, task]).get('Task')
  const names = (field: string) => model && fieldAliases(model, field)

  it('what has no relation goes by its own name', () => {
    expect(names('id')).toEqual({ forbid: ['id'], allow: [[['id']]] })
  })

  it('a relation is allowed by its name or by all of its columns, and forbidden with whatever shares one', () => {
    expect(names('project')).toEqual({
      forbid: ['project', 'org', 'projectId', 'organisation'],
      allow: [[['project']], [['org'], ['projectId']]],
    })
    expect(names('organisation')).toEqual({
      forbid: ['organisation', 'org', 'project'],
      allow: [[['organisation', 'org']]],
    })
  })

  it('a column that both have is allowed by its name or by both relations', () => {
    expect(names('org')).toEqual({
      forbid: ['org', 'organisation', 'project'],
      allow: [[['org']], [['organisation'], ['project']]],
    })
    expect(names('projectId')).toEqual({ forbid: ['projectId', 'project'], allow: [[['projectId', 'project']]] })
  })
})
