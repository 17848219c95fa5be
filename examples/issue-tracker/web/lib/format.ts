/** What the states of an issue are called. */
export const STATUS = { OPEN: 'Open', IN_PROGRESS: 'In progress', DONE: 'Done' } as const

/** The state of an issue. */
export type Status = keyof typeof STATUS

/** All states, in their order. */
export const STATUSES = Object.keys(STATUS).filter(isStatus)

/** Whether a text is a state. */
export function isStatus(text: string | null): text is Status {
  return text !== null && Object.hasOwn(STATUS, text)
}

/** What the priorities are called, from 1. */
export const PRIORITIES = ['Urgent', 'High', 'Normal', 'Low'] as const

/** What a priority is called. */
export function priorityName(priority: number): string {
  return PRIORITIES[priority - 1] ?? String(priority)
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** A day, as `3 Jun 2026`. */
export function formatDay(date: Date): string {
  return day.format(date)
}

/** A day and a time. */
export function formatTime(date: Date): string {
  return minute.format(date)
}

/** A number of bytes. */
export function formatSize(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} kB`
}

/** Returns the name of a person. The person is null after leaving all teams of the caller. */
export function personName(person: { readonly name: string } | null): string {
  return person?.name ?? 'A former member'
}
