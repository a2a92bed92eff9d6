public import GlissadeTime

/// Provides the rows of a list.
@MainActor public protocol ListSource: AnyObject {
    /// The number of rows. Call `ListView.reload` after it has changed.
    var rowCount: Int { get }
    /// Makes a view that can show any row. Called by the default implementation of `makeRow(at:)`.
    func makeRow() -> ListRow
    /// Makes a view for row `index`. Implement this method if the list has several kinds of rows. The default
    /// implementation calls `makeRow()`.
    func makeRow(at index: Int) -> ListRow
    /// Whether the existing view `row` can be reused for row `index`. True by default.
    func canShow(_ index: Int, in row: ListRow) -> Bool
    /// Shows the content of row `index` in the view `row`.
    func configure(_ row: ListRow, at index: Int)
    /// Called when row `index` is clicked or activated by keyboard.
    func activate(_ index: Int, now: HostTime)
}

extension ListSource {
    public func makeRow(at index: Int) -> ListRow { makeRow() }
    public func canShow(_ index: Int, in row: ListRow) -> Bool { true }
}
