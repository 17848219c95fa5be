import { type ModelSpec, type Operation, PRISMA_OPERATIONS } from '../../model/api-model.js'
import { isSecretName } from '../../model/annotations/secrets.js'
import type { Style } from '../../options.js'
import type { Finding } from '../change.js'
import { formatPerStyle, joinList, joinNames, quote } from '../phrases.js'
import { type ModelPair, routePath } from './context.js'
import { compareFields } from './fields.js'
import { isReadable } from './field-traits.js'
import { compareRelations } from './relations.js'
import { compareUniques } from './uniques.js'
import { compareVersions } from './versions.js'

/** Compares two versions of a model. */
export function compareModel(pair: ModelPair): Finding[] {
  const { before, after } = pair
  return [
    ...(before.name === after.name ? [] : [describeRenamedModel(pair)]),
    ...compareOperations(pair),
    ...compareUniques(pair),
    ...compareVersions(pair),
    ...compareFields(pair),
    ...compareRelations(pair),
  ]
}

/** Describes a model that was added or is newly exposed. */
export function describeAddedModel(model: ModelSpec, isNew: boolean, styles: readonly Style[]): Finding {
  const readableFields = model.fields.filter(isReadable)
  const secrets = readableFields.filter(({ name, hasExplicitExposure }) => isSecretName(name) && !hasExplicitExposure)
  const count = `${readableFields.length} field${readableFields.length === 1 ? '' : 's'}`
  const sentence =
    `${quote(model.name)} is now exposed: callers may ${joinList(model.operations)} it and read ${count}` +
    `${formatPerStyle(styles, { rest: quote(routePath(model.name)), rpc: quote(`${routePath(model.name)}/…`) })}.` +
    (secrets.length > 0 ? ` Names that resemble secrets: ${joinNames(secrets.map(({ name }) => name))}.` : '')
  const secret = secrets.length > 0 ? { secret: true as const } : {}
  return { kind: 'exposure', code: isNew ? 'model-added' : 'model-exposed', model: model.name, sentence, ...secret }
}

/** Describes a model that was removed or is now hidden. */
export function describeRemovedModel(model: ModelSpec, isHidden: boolean, styles: readonly Style[]): Finding {
  const sentence = `${quote(model.name)} ${isHidden ? 'is no longer exposed' : 'was removed'}: all requests for it are rejected${formatPerStyle(
    styles,
    { rest: `${quote(routePath(model.name))}: 404`, rpc: `${quote(`${routePath(model.name)}/…`)}: 404` },
  )}.`
  const code = isHidden ? 'model-hidden' : 'model-removed'
  return { kind: 'breaking', code, model: model.name, sentence, ...(!isHidden && { removed: true }) }
}

function describeRenamedModel({ before, after, styles }: ModelPair): Finding {
  const path = `${quote(routePath(after.name))} instead of ${quote(routePath(before.name))}`
  const sentence = `${quote(before.name)} was renamed to ${quote(after.name)}: its paths and its type change${formatPerStyle(styles, { rest: path, rpc: path })}.`
  const detail = `${before.name} -> ${after.name}`
  return { kind: 'breaking', code: 'model-renamed', model: after.name, detail, sentence }
}

/** The REST route of each operation, relative to the model's path. */
const ROUTES: Readonly<Record<Operation, string>> = {
  list: 'GET /',
  get: 'GET /:id',
  create: 'POST /',
  update: 'PATCH /:id',
  delete: 'DELETE /:id',
}

function compareOperations({ before, after, styles }: ModelPair): Finding[] {
  const findings: Finding[] = []
  const reported = new Set<string>()
  const added = after.operations.filter((operation) => !before.operations.includes(operation))
  const removed = before.operations.filter((operation) => !after.operations.includes(operation))
  for (const operation of [...added, ...removed]) {
    const isNew = added.includes(operation)
    const rpc = getRpcMethods(operation, isNew ? after : before)
    for (const name of rpc) reported.add(name)
    const suffix = formatPerStyle(styles, { rest: quote(ROUTES[operation]), rpc: joinNames(rpc) })
    const sentence = isNew
      ? `Callers may now ${operation} ${quote(after.name)}${suffix}.`
      : `Callers may no longer ${operation} ${quote(after.name)}: such requests are rejected${suffix}.`
    const code = isNew ? 'operation-added' : 'operation-removed'
    const kind = isNew ? 'exposure' : 'breaking'
    findings.push({ kind, code, model: after.name, detail: operation, sentence })
  }
  if (!styles.includes('rpc')) return findings
  const [oldMethods, newMethods]: [readonly string[], readonly string[]] = [
    before.prismaOperations,
    after.prismaOperations,
  ]
  for (const name of newMethods.filter((each) => !oldMethods.includes(each) && !reported.has(each))) {
    const sentence = `RPC now offers ${quote(`${routePath(after.name)}/${name}`)}.`
    findings.push({ kind: 'exposure', code: 'operation-added', model: after.name, detail: name, sentence })
  }
  for (const name of oldMethods.filter((each) => !newMethods.includes(each) && !reported.has(each))) {
    const sentence = `RPC no longer offers ${quote(`${routePath(after.name)}/${name}`)}: such requests are rejected (404).`
    findings.push({ kind: 'breaking', code: 'operation-removed', model: after.name, detail: name, sentence })
  }
  return findings
}

function getRpcMethods(operation: Operation, { prismaOperations }: ModelSpec): string[] {
  return prismaOperations.filter((name) => PRISMA_OPERATIONS[name].some((required) => required === operation))
}
