public import Motion

/// What a list shows.
@MainActor public protocol ListSource: AnyObject {
    var rowCount: Int { get }
    func makeRow() -> ListRow
    /// Has `row` show what belongs at `index`.
    func configure(_ row: ListRow, at index: Int)
    /// The row was clicked, or Enter pressed on it.
    func activate(_ index: Int, now: HostTime)
}
