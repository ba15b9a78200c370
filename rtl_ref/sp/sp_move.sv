// Moves between general, condition and address registers.
module sp_move (
    input  sp_types::control_fields control,
    input  logic [31:0]             source_0,
    input  logic [31:0]             source_1,
    input  logic [3:0]              flags_in,
    input  logic [15:0]             address_in,
    output logic [31:0]             value,
    output logic [3:0]              flags,
    output logic [15:0]             address
);
  always_comb begin
    value   = 32'd0;
    flags   = 4'd0;
    address = 16'd0;
    case (control.operation)
      sp_types::FLAGS_TO_VALUE: value = {28'd0, flags_in};
      sp_types::VALUE_TO_FLAGS: flags = source_0[3:0];
      sp_types::ADDRESS_TO_VALUE: value = {16'd0, address_in};
      sp_types::SHIFT_TO_ADDRESS: address = source_0[15:0] << source_1[3:0];
      sp_types::ADD_TO_ADDRESS: address = address_in + source_1[15:0];
      default: value = control.narrow ? {16'd0, source_0[15:0]} : source_0;
    endcase
  end

  logic unused;
  assign unused = |{control, source_1[31:16]};
endmodule
