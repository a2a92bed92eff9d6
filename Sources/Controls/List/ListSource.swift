public import Time

/// What a list shows.
@MainActor public protocol ListSource: AnyObject {
    var rowCount: Int { get }
    /// Makes a row's view.
    func makeRow() -> ListRow
    /// Makes what can show row `index`, for lists whose rows are not all alike; by default `makeRow` does.
    func makeRow(at index: Int) -> ListRow
    /// Whether `row`, which was made for some row, can show row `index`; by default any can.
    func canShow(_ index: Int, in row: ListRow) -> Bool
    /// Has `row` show what belongs at `index`.
    func configure(_ row: ListRow, at index: Int)
    /// The row was clicked, or Enter pressed on it.
    func activate(_ index: Int, now: HostTime)
}

extension ListSource {
    public func makeRow(at index: Int) -> ListRow { makeRow() }
    public func canShow(_ index: Int, in row: ListRow) -> Bool { true }
}
