import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { STATUS, STATUSES } from '../lib/format.js'
import { type IssueFilter, peopleQuery, projectsQuery } from '../lib/queries.js'

/** Debounce delay of the search field, in milliseconds. */
const DEBOUNCE_MS = 250

interface Props {
  readonly filter: IssueFilter
  readonly change: (changes: Readonly<Record<string, string | undefined>>) => void
}

/** The filters of the issue list. */
export function Filters({ filter, change }: Props) {
  const projects = useQuery(projectsQuery).data ?? []
  const people = useQuery(peopleQuery).data ?? []
  const labels = new Map(projects.flatMap(({ team }) => team.labels.map((label) => [label.id, { label, team }])))
  const hasSeveralTeams = new Set(projects.map(({ teamId }) => teamId)).size > 1
  return (
    <search className="filters">
      <SearchField text={filter.text} change={(q) => change({ q })} />
      <Choice label="Status" value={filter.status ?? ''} change={(status) => change({ status })} any="Any status">
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS[status]}
          </option>
        ))}
      </Choice>
      <Choice label="Project" value={filter.projectId} change={(project) => change({ project })} any="All projects">
        {projects.map(({ id, key, name }) => (
          <option key={id} value={id}>
            {key} · {name}
          </option>
        ))}
      </Choice>
      <Choice label="Assignee" value={filter.assigneeId} change={(assignee) => change({ assignee })} any="Anyone">
        <option value="none">Nobody</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label="Label" value={filter.labelId} change={(label) => change({ label })} any="Any label">
        {[...labels.values()].map(({ label, team }) => (
          <option key={label.id} value={label.id}>
            {label.name}
            {hasSeveralTeams && ` (${team.name})`}
          </option>
        ))}
      </Choice>
    </search>
  )
}

function SearchField({ text, change }: { text: string; change: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => change(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <label className="grow">
      <span>Search</span>
      <input type="search" value={typed} placeholder="Words in the title" onChange={(e) => setTyped(e.target.value)} />
    </label>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly any: string
  readonly value: string
  readonly change: (value: string) => void
  readonly children: React.ReactNode
}

function Choice({ label, any, value, change, children }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => change(event.target.value)}>
        <option value="">{any}</option>
        {children}
      </select>
    </label>
  )
}
