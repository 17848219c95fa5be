import { toFormErrors } from '@routewright/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'

import { issueInput } from '../../server/routes/issue/input.js'
import { rest } from '../lib/clients.js'
import { PRIORITIES } from '../lib/format.js'
import { issueQuery, restQueries, peopleQuery, projectsQuery } from '../lib/queries.js'
import { Link, navigate } from '../lib/router.js'
import { toast } from '../lib/toasts.js'
import { Field } from '../parts/field.js'
import { Failed, Loading } from '../parts/states.js'

/** The values of the form, with the names of the API, so that errors have the names of the form's fields. */
interface Draft {
  readonly title: string
  readonly description: string
  readonly project: number
  readonly priority: number
  readonly dueOn: string
  readonly assignee: string
  readonly labels: readonly number[]
}

/** The page that creates an issue. */
export function NewIssuePage() {
  const { data: projects, error, refetch } = useQuery(projectsQuery)
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!projects) return <Loading />
  const [first] = projects
  if (!first) return <p className="card empty">Your teams have no projects yet.</p>
  const draft = {
    title: '',
    description: '',
    project: first.id,
    priority: 3,
    dueOn: '',
    assignee: '',
    labels: [],
  }
  return <IssueForm draft={draft} />
}

/** The page that edits an issue. */
export function EditIssuePage({ id }: { id: number }) {
  const { data: issue, error, refetch } = useQuery(issueQuery(id))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (issue === undefined) return <Loading />
  if (issue === null) return <h1>There is no such issue.</h1>
  const { title, description, projectId, priority, dueOn, assigneeId, labels } = issue
  const draft = {
    title,
    description,
    project: projectId,
    priority,
    dueOn: dueOn?.toISOString().slice(0, 10) ?? '',
    assignee: String(assigneeId ?? ''),
    labels: labels.map((label) => label.id),
  }
  return <IssueForm draft={draft} id={id} />
}

/** An error of a field, found by the page or by the server. */
interface InvalidField {
  readonly path?: readonly (string | number)[]
  readonly message: string
}

/** Converts the values to API data, with relations as ids. */
function toIssueData({ dueOn, assignee, ...draft }: Draft) {
  return { ...draft, dueOn: dueOn === '' ? null : new Date(dueOn), assignee: assignee === '' ? null : assignee }
}

function IssueForm({ draft: initial, id }: { draft: Draft; id?: number }) {
  const [draft, setDraft] = useState(initial)
  // Errors of a field are hidden once the user has changed the field.
  const [changedFields, setChangedFields] = useState<readonly string[]>([])
  const change = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }))
    setChangedFields((before) => [...before, ...Object.keys(changes)])
  }
  const projects = useQuery(projectsQuery).data ?? []
  const people = useQuery(peopleQuery).data ?? []
  const labels = projects.find((project) => project.id === draft.project)?.team.labels ?? []
  const queryClient = useQueryClient()
  const form = useRef<HTMLFormElement>(null)

  const save = useMutation({
    mutationFn: async () => {
      const data = toIssueData(draft)
      const issue = id === undefined ? await rest.issue.create(data) : await rest.issue.update(id, data)
      if (id === undefined) await restQueries.issue.create.invalidate(queryClient, data, issue)
      else await restQueries.issue.update.invalidate(queryClient, { id, data }, issue)
      return issue
    },
    onSuccess(issue) {
      toast(id === undefined ? 'The issue was reported.' : 'The issue was changed.')
      navigate(`/issues/${issue.id}`)
    },
  })
  const [issues, setIssues] = useState<readonly InvalidField[]>([])
  const errors = save.error ? toFormErrors(save.error) : { fields: [], form: [] }
  const invalidFields: readonly InvalidField[] = issues.length > 0 ? issues : errors.fields
  const getErrors = (name: keyof Draft) =>
    changedFields.includes(name)
      ? []
      : invalidFields.filter(({ path = [] }) => path[0] === name).map(({ message }) => message)

  useEffect(() => {
    document.title = id === undefined ? 'New issue · Tracker' : 'Edit · Tracker'
  }, [id])
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [save.error, issues])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setChangedFields([])
    const schema = id === undefined ? issueInput.create : issueInput.update
    const { issues: found = [] } = schema['~standard'].validate(toIssueData(draft))
    setIssues(found)
    if (found.length === 0) save.mutate()
    else save.reset()
  }
  // The generated schema validates the form before the request. The server returns errors that only it can detect, such as a hook's.
  return (
    <form className="card form" ref={form} onSubmit={submit} noValidate>
      <h1>{id === undefined ? 'New issue' : 'Edit the issue'}</h1>
      {errors.form.length > 0 && (
        <p className="error" role="alert">
          {errors.form.join(' ')}
        </p>
      )}
      <Field label="Title" errors={getErrors('title')}>
        <input value={draft.title} autoFocus onChange={(event) => change({ title: event.target.value })} />
      </Field>
      <Field label="Description" errors={getErrors('description')}>
        <textarea
          rows={5}
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <div className="row">
        <Field label="Project" errors={getErrors('project')}>
          <select
            value={draft.project}
            onChange={(event) => change({ project: Number(event.target.value), labels: [] })}
          >
            {projects.map(({ id, key, name, team }) => (
              <option key={id} value={id}>
                {key} · {name} ({team.name})
              </option>
            ))}
          </select>
        </Field>
        <Field label="Assignee" errors={getErrors('assignee')}>
          <select value={draft.assignee} onChange={(event) => change({ assignee: event.target.value })}>
            <option value="">Nobody</option>
            {people.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <div className="row">
        <Field label="Priority" errors={getErrors('priority')}>
          <select value={draft.priority} onChange={(event) => change({ priority: Number(event.target.value) })}>
            {PRIORITIES.map((name, at) => (
              <option key={name} value={at + 1}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Due" errors={getErrors('dueOn')}>
          <input type="date" value={draft.dueOn} onChange={(event) => change({ dueOn: event.target.value })} />
        </Field>
      </div>
      <fieldset>
        <legend>Labels</legend>
        {labels.map(({ id, name }) => (
          <label key={id} className="check">
            <input
              type="checkbox"
              checked={draft.labels.includes(id)}
              onChange={({ target }) =>
                change({
                  labels: target.checked ? [...draft.labels, id] : draft.labels.filter((one) => one !== id),
                })
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
      <div className="buttons">
        <button type="submit" className="primary" disabled={save.isPending}>
          {id === undefined ? 'Report it' : 'Save'}
        </button>
        <Link className="button" href={id === undefined ? '/' : `/issues/${id}`}>
          Cancel
        </Link>
      </div>
    </form>
  )
}
