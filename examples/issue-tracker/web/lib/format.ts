import { toFormErrors } from '@routewright/client'

/** The display names of statuses. */
export const STATUS = { OPEN: 'Open', IN_PROGRESS: 'In progress', DONE: 'Done' } as const

/** The status of an issue. */
export type Status = keyof typeof STATUS

/** All statuses in display order. */
export const STATUSES = Object.keys(STATUS).filter(isStatus)

/** Whether a string is a status. */
export function isStatus(text: string | null): text is Status {
  return text !== null && Object.hasOwn(STATUS, text)
}

/** The display names of priorities, from 1. */
export const PRIORITIES = ['Urgent', 'High', 'Normal', 'Low'] as const

/** Returns the display name of a priority. */
export function priorityName(priority: number): string {
  return PRIORITIES[priority - 1] ?? String(priority)
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a day: `3 Jun 2026`. */
export function formatDay(date: Date): string {
  return day.format(date)
}

/** Formats a day and a time. */
export function formatTime(date: Date): string {
  return minute.format(date)
}

/** Formats a file size. */
export function formatSize(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} kB`
}

/** Returns the name of a person. The person is null after leaving all teams of the caller. */
export function personName(person: { readonly name: string } | null): string {
  return person?.name ?? 'A former member'
}

/** Returns the message of a failed write, for a form with one field. */
export function errorMessage(error: Error): string {
  const { fields, form } = toFormErrors(error)
  return [...fields.map(({ message }) => message), ...form].join(' ')
}
