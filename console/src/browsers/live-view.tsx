import { useState } from 'react'
import { Checkbox } from '../ui/field.tsx'
import { type Session, toLiveViewPath } from './sessions.ts'

/** Live view in a frame. The service streams images, so the visited pages do not run in the console. */
export function LiveView({ session }: { session: Session }) {
  const [canControl, setCanControl] = useState(true)
  const viewUrl = toLiveViewPath(canControl ? session.interactiveLiveViewUrl : session.liveViewUrl)
  if (viewUrl === undefined) return <p className="quiet">This session was opened without a live view.</p>
  return (
    <div className="stack">
      <iframe
        key={viewUrl}
        className="live-view"
        title="Live view of the browser"
        src={viewUrl}
        referrerPolicy="no-referrer"
      />
      <div className="row">
        <Checkbox
          name="Control the page with mouse and keyboard"
          isOn={canControl}
          onChange={setCanControl}
        />
        <a href={viewUrl} target="_blank" rel="noopener noreferrer">
          Open live view in a new window
        </a>
      </div>
    </div>
  )
}
