const looks: Record<string, string> = {
  completed: 'good',
  delivered: 'good',
  failed: 'bad',
  running: 'busy',
  scraping: 'busy',
  processing: 'busy',
  waiting: 'busy',
}

/** The state of a job in a word, with a colour that says the same. */
export function StateBadge({ state }: { state: string }) {
  return <span className={`badge ${looks[state] ?? ''}`}>{state}</span>
}
