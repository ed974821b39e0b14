import { useEffect, useState } from 'react'

/** The time that goes by; it is not read aloud. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="elapsed" aria-hidden="true">
      {seconds(now - since)}
    </span>
  )
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`
}
