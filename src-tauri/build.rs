fn main(){ }
