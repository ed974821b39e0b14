const classNames: Record<string, string> = {
  completed: 'good',
  delivered: 'good',
  failed: 'bad',
  running: 'busy',
  scraping: 'busy',
  processing: 'busy',
  waiting: 'busy',
}

/** State of a job as a coloured badge. */
export function StateBadge({ state }: { state: string }) {
  return <span className={`badge ${classNames[state] ?? ''}`}>{state}</span>
}
