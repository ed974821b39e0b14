import { useState } from 'react'
import { Check } from '../ui/field.tsx'
import { liveViewUrl, type Session } from './sessions.ts'

/** What the browser shows, drawn by a page of the service: the pages in it never run here. */
export function LiveView({ session }: { session: Session }) {
  const [steers, setSteers] = useState(true)
  const address = liveViewUrl(steers ? session.interactiveLiveViewUrl : session.liveViewUrl)
  if (address === undefined) return <p className="quiet">This session was opened without a live view.</p>
  return (
    <div className="stack">
      <iframe
        key={address}
        className="live-view"
        title="Live view of the browser"
        src={address}
        referrerPolicy="no-referrer"
      />
      <div className="row">
        <Check name="Mouse and keyboard control the page" isOn={steers} onChange={setSteers} />
        <a href={address} target="_blank" rel="noopener noreferrer">
          Open live view in a new window
        </a>
      </div>
    </div>
  )
}
