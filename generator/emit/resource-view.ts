import { type FieldSpec, type ModelSpec, OPERATIONS, type RelationSpec } from '../model/api-model.js'
import { stringLiteral } from '../model/annotations/parse-chain.js'
import { type ModelNames, modelNames } from './names.js'

/** The data of `resource.hbs`. */
export interface ResourceView {
  readonly names: ModelNames
  readonly modelName: string
  readonly model: string
  readonly delegate: string
  /** The name of the table as a literal. Empty if it is the model's name. */
  readonly table: string
  readonly id: string
  readonly uniques: readonly { readonly name: string; readonly fields: string }[]
  /** The constraints that the runtime cannot derive, as properties: their names, with the unique criterion or the exposed fields. */
  readonly constraints: string
  /** The allowed operations as literals. Empty if all are allowed. */
  readonly operations: string
  readonly fields: readonly PropertyView[]
  readonly relations: readonly PropertyView[]
}

/** One line of a resource: a name, and the properties of its object literal. */
export interface PropertyView {
  readonly name: string
  readonly properties: string
}

/**
 * Creates the view of a model's resource file.
 * @param inputFields the fields whose rules are in the model's `input.ts`
 */
export function createResourceView(model: ModelSpec, inputFields: readonly FieldSpec[] = []): ResourceView {
  return {
    names: modelNames(model.name),
    modelName: model.name,
    model: stringLiteral(model.name),
    delegate: stringLiteral(model.delegate),
    table: model.table === undefined ? '' : stringLiteral(model.table),
    id: stringLiteral(model.id),
    // A single-field id is always unique and is not repeated.
    uniques: model.uniques
      .filter(({ name }) => name !== model.id || !model.fields.some((field) => field.name === name))
      .map((unique) => ({ name: unique.name, fields: literals(unique.fields) })),
    constraints: properties(
      model.constraints.map(({ name, criterion }) => [
        propertyName(name),
        typeof criterion === 'string' ? stringLiteral(criterion) : `[${literals(criterion)}]`,
      ]),
    ),
    operations: model.operations.length === OPERATIONS.length ? '' : literals(model.operations),
    fields: model.fields.map((field) => fieldView(field, isUnique(model, field), inputFields.includes(field))),
    relations: model.relations.map(relationView),
  }
}

function propertyName(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : stringLiteral(name)
}

function isUnique({ uniques }: ModelSpec, { name }: FieldSpec): boolean {
  return uniques.some(({ fields }) => fields.includes(name))
}

/**
 * @param unique whether the field is part of a unique criterion. If the criterion is violated, databases report the name of the column.
 * @param imported whether the field's rule is in `input.ts`
 */
function fieldView(field: FieldSpec, unique: boolean, imported: boolean): PropertyView {
  return {
    name: field.name,
    properties: properties([
      ['type', stringLiteral(field.type)],
      ['values', field.type === 'Enum' && `[${literals(field.values)}]`],
      // The property `uuid` implies this database type.
      ['db', field.db !== undefined && !field.uuid && stringLiteral(field.db)],
      ['uuid', field.uuid],
      ['inexact', field.inexact],
      ['column', unique && field.column !== undefined && stringLiteral(field.column)],
      ['list', field.list],
      ['optional', field.optional],
      ['default', literalDefault(field)],
      ['hasDefault', hasComputedDefault(field)],
      ['updatedAt', field.updatedAt],
      ['generated', field.generated],
      [field.exposure, field.exposure !== 'full'],
      ['serverSet', field.serverSet],
      ['version', formatVersion(field)],
      ['rule', (imported && field.rule ? `rules.${field.name}` : field.rule) ?? false],
    ]),
  }
}

function relationView(relation: RelationSpec): PropertyView {
  const foreignKey = relation.foreignKey.map(([field, references]) => `${field}: ${stringLiteral(references)}`)
  return {
    name: relation.name,
    properties: properties([
      ['model', stringLiteral(relation.target)],
      ['many', relation.many],
      ['optional', relation.optional],
      ['nullable', relation.nullable && relation.exposure !== 'hidden'],
      ['foreignKey', foreignKey.length > 0 && `{ ${foreignKey.join(', ')} }`],
      ['onDelete', relation.onDelete !== undefined && stringLiteral(relation.onDelete)],
      ['inverse', foreignKey.length === 0 && relation.exposure !== 'hidden' && stringLiteral(relation.inverse)],
      ['dependent', relation.dependent && relation.exposure !== 'hidden'],
      [relation.serverSet ? 'serverSet' : relation.exposure, relation.exposure !== 'full'],
    ]),
  }
}

/** Returns the default if it is a literal, so that a reviewer sees when it changes. */
function literalDefault({ defaultValue }: FieldSpec): string | false {
  if (defaultValue === undefined) return false
  return typeof defaultValue === 'string' ? stringLiteral(defaultValue) : String(defaultValue)
}

/** Whether a field has a default that is neither a literal nor implied by another property. */
function hasComputedDefault({ hasDefault, generated, updatedAt, defaultValue }: FieldSpec): boolean {
  return hasDefault && !generated && !updatedAt && defaultValue === undefined
}

function formatVersion({ version }: FieldSpec): string | boolean {
  return version === 'required' ? stringLiteral(version) : version !== undefined
}

/** Formats properties such as `type: "Int", optional: true`. Properties with the value false are omitted. */
export function properties(entries: readonly (readonly [name: string, value: string | boolean])[]): string {
  return entries
    .filter(([, value]) => value !== false)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
}

export function literals(texts: readonly string[]): string {
  return texts.map(stringLiteral).join(', ')
}
