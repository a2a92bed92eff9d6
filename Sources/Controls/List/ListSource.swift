public import Time

/// The content of a list.
@MainActor public protocol ListSource: AnyObject {
    /// The number of rows. Call `ListView.reload` when it has changed.
    var rowCount: Int { get }
    /// Makes a row's view.
    func makeRow() -> ListRow
    /// Makes a view that can show row `index`, for lists with different kinds of rows; calls `makeRow` by default.
    func makeRow(at index: Int) -> ListRow
    /// Whether the view `row` can show row `index`; true by default.
    func canShow(_ index: Int, in row: ListRow) -> Bool
    /// Shows the content of row `index` in `row`.
    func configure(_ row: ListRow, at index: Int)
    /// Called when the row was clicked, or Enter was pressed on it.
    func activate(_ index: Int, now: HostTime)
}

extension ListSource {
    public func makeRow(at index: Int) -> ListRow { makeRow() }
    public func canShow(_ index: Int, in row: ListRow) -> Bool { true }
}
