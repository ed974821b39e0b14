interface ProgressBarProps {
  label: string
  completed: number
  failed: number
  total: number
}

/** Pages that came and pages that failed, of all that are known. */
export function ProgressBar({ label, completed, failed, total }: ProgressBarProps) {
  const share = (count: number) => `${total === 0 ? 0 : (100 * count) / total}%`
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={completed + failed}
      aria-valuetext={`${completed} completed, ${failed} failed, of ${total}`}
    >
      <span className="came" style={{ width: share(completed) }} />
      <span className="fell" style={{ width: share(failed) }} />
    </div>
  )
}
