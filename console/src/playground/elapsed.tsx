import { useEffect, useState } from 'react'

/** Elapsed time. Hidden from screen readers, because it changes ten times per second. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="elapsed" aria-hidden="true">
      {formatSeconds(now - since)}
    </span>
  )
}

export function formatSeconds(ms: number): string {
  return ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`
}
